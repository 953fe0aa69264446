main.floors.MT1 =
{
    "floorId": "MT1", "title": "Upper", "item_ratio": 2,
    "map": [
        [1, 1, 1],
        [1, 202, 1],
        [1, 27, 1],
        [1, 28, 1],
        [1, 29, 1],
        [1, 31, 1],
        [1, 88, 1]
    ],
    "firstArrive": [], "events": {},
    "changeFloor": { "1,6": { "floorId": "MT0", "stair": "upFloor" } },
    "afterBattle": { "1,1": [{ "type": "win" }] }, "afterGetItem": {}, "afterOpenDoor": {}, "cannotMove": {}
}
