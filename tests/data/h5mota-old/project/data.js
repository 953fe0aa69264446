data_00000000_0000_4000_8000_000000000001 = 
{
    "main": { "floorIds": ["MT0", "MT1"], "levelChoose": [["Easy", "Easy"], ["Normal", "Normal"]] },
    "firstData": {
        "title": "The old keep", "name": "oldkeep", "floorId": "MT0",
        "hero": { "name": "Hero", "lv": 1, "hp": 300, "atk": 10, "def": 10, "mdef": 0, "money": 100, "experience": 3,
            "items": { "keys": { "yellowKey": 2, "blueKey": 0 }, "constants": {}, "tools": {} },
            "loc": { "direction": "up", "x": 1, "y": 3 }, "flags": {} },
        "startText": [],
        "shops": [
            { "id": "moneyShop", "name": "Altar", "icon": "shop", "textInList": "Altar", "use": "money", "need": "20+10*times*(times+1)", "text": "Give me ${need} gold.",
              "choices": [ { "text": "HP+100", "effect": "status:hp+=100" }, { "text": "ATK+2, a key", "effect": "status:atk+=2;item:yellowKey+=1" } ] },
            { "id": "expShop", "name": "Teacher", "use": "experience", "need": "-1", "text": "Learn?",
              "choices": [ { "text": "A level", "need": "100", "effect": "status:lv+=1;status:hp+=1000" } ] }
        ]
    },
    "values": { "redJewel": 3, "blueJewel": 3, "greenJewel": 5, "redPotion": 50, "HPMAX": 9, "breakArmor": 0.9, "counterAttack": 0.1, "purify": 3, "hatred": 2 },
    "flags": { "enableNegativeDamage": false, "steelDoorWithoutKey": false }
}
