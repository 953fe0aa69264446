var data_00000000_0000_4000_8000_000000000000 = 
{
	"main": {
		"floorIds": ["F1", "F2", "F3"],
		"levelChoose": [
			{ "title": "Easy", "name": "easy", "hard": 1, "action": [{ "type": "setValue", "name": "status:atk", "operator": "+=", "value": "3" }, "Have a good time."] },
			{ "title": "Hard", "name": "hard", "hard": 2, "action": [] }
		]
	},
	"firstData": {
		"title": "The small keep",
		"name": "small-keep",
		"version": "Ver 2.10",
		"floorId": "F1",
		"hero": {
			"name": "Hero", "lv": 1, "hp": 500, "atk": 10, "def": 8, "mdef": 2, "money": 30, "exp": 0, "mana": 4,
			"items": { "constants": { "book": 1 }, "tools": { "yellowKey": 1, "pickaxe": 2 }, "equips": {} },
			"loc": { "direction": "up", "x": 1, "y": 5 },
			"flags": { "begun": true }
		},
		"startText": [
			"Once upon a time.",
			{ "type": "setValue", "name": "flag:story", "value": "1" }
		],
		"shops": [
			{
				"id": "altar", "text": "\t[Altar,shop]Give me ${20+flag:gifts} gold.", "textInList": "Altar", "mustEnable": false,
				"choices": [
					{ "text": "ATK+2", "need": "status:money>=20+flag:gifts", "action": [
						{ "type": "setValue", "name": "status:money", "operator": "-=", "value": "20+flag:gifts" },
						{ "type": "setValue", "name": "flag:gifts", "operator": "+=", "value": "1" },
						{ "type": "setValue", "name": "status:atk", "operator": "+=", "value": "2" }
					] }
				]
			},
			{ "id": "stall", "item": true, "textInList": "Stall", "use": "money", "choices": [{ "id": "yellowKey", "number": 2, "money": "10", "sell": "4" }, { "id": "pickaxe", "number": 0, "money": "50" }] },
			{ "id": "buyer", "textInList": "Buyer", "commonEvent": "sell keys" }
		]
	},
	"values": { "redGem": 1, "blueGem": 2, "greenGem": 3, "redPotion": 50, "bluePotion": 100, "yellowPotion": 200, "greenPotion": 400, "breakArmor": 0.8, "counterAttack": 0.2, "purify": 4, "hatred": 2 },
	"flags": { "enableNegativeDamage": true, "statusBarItems": ["enableHP"] }
}
