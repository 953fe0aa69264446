items_00000000_0000_4000_8000_000000000001 = 
{
    "items": {
        "yellowKey": { "cls": "keys", "name": "Yellow key" },
        "redJewel": { "cls": "items", "name": "Red jewel", "text": "ATK+3" },
        "blueJewel": { "cls": "items", "name": "Blue jewel" },
        "greenJewel": { "cls": "items", "name": "Green jewel" },
        "redPotion": { "cls": "items", "name": "Red potion" },
        "steelKey": { "cls": "tools", "name": "Steel key" },
        "shoes": { "cls": "constants", "name": "Shoes" }
    },
    "itemEffect": {
        "redJewel": "core.status.hero.atk += core.values.redJewel * core.status.thisMap.item_ratio",
        "blueJewel": "core.status.hero.def += core.values.blueJewel * core.status.thisMap.item_ratio",
        "greenJewel": "core.status.hero.mdef += core.values.greenJewel * core.status.thisMap.item_ratio",
        "redPotion": "core.status.hero.hp += core.values.redPotion * core.status.thisMap.item_ratio"
    },
    "useItemEffect": { "steelKey": "true" }
}
