var enemys_00000000_0000_4000_8000_000000000000 = 
{
	"slime": { "name": "Slime", "hp": 40, "atk": 12, "def": 2, "money": 3, "exp": 1, "special": 0 },
	"bat": { "name": "\\r[red]Bat", "hp": 60, "atk": 18, "def": 4, "money": 5, "exp": 2, "special": [6, 11, 15, 1001], "n": 5, "vampire": 0.25, "add": true, "range": 1,
		"afterBattle": [{ "type": "setValue", "name": "flag:bats", "operator": "+=", "value": "1" }] },
	"king": { "name": "King", "hp": 200, "atk": 30, "def": 10, "money": 50, "exp": 20, "special": [7, 8, 9], "breakArmor": 0.5 },
	"witch": { "name": "Witch", "hp": 0, "atk": 20, "def": 5, "money": 8, "exp": 4, "special": [14, 17, 21, 22], "atkValue": 1, "defValue": 2, "damage": 15 },
	"ghost": { "name": "Ghost", "hp": 30, "atk": 25, "def": 0, "money": 0, "exp": 0, "special": [19, 20, 2], "beforeBattle": ["\t[Ghost]Boo!", { "type": "setValue", "name": "status:mdef", "operator": "+=", "value": "1" }] }
}
