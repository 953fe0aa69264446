main.floors.MT0 =
{
    "floorId": "MT0", "title": "Main", "name": "0", "canFlyTo": true,
    "item_ratio": 1, "defaultGround": "ground",
    "map": [
        [1, 1, 87, 1, 1],
        [1, 27, 0, 121, 1],
        [1, 201, 0, 85, 1],
        [1, 0, 2, 86, 46],
        [1, 21, 81, 31, 121]
    ],
    "firstArrive": [],
    "events": {
        "3,1": [
            "\t[Man,man]Hello.",
            { "type": "addValue", "name": "status:experience", "value": "5" },
            { "type": "move", "time": 750, "steps": [{ "direction": "right", "value": 1 }, { "direction": "down", "value": 2 }], "keep": true },
            { "type": "openDoor", "loc": [3, 2] },
            { "type": "hide" }
        ],
        "4,4": { "trigger": "action", "data": [{ "type": "openShop", "id": "moneyShop" }, { "type": "openShop", "id": "expShop" }] }
    },
    "changeFloor": { "2,0": { "floorId": "MT1", "stair": "downFloor" } },
    "afterBattle": { "1,2": [{ "type": "setValue", "name": "item:steelKey", "value": "item:steelKey+1" }] },
    "afterGetItem": {}, "afterOpenDoor": {}, "cannotMove": {}
}
