main.floors.F1=
{
"floorId": "F1",
"title": "Hall",
"name": "1",
"width": 7,
"height": 7,
"ratio": 1,
"map": [
    [  1,  1,  1, 87,  1,  1,  1],
    [  1,121,  0, 81, 27,201,  1],
    [  1,122,  0,  6, 28,202,  1],
    [  1,  0, 85, 86, 89, 90,  1],
    [  1, 21,  0, 42, 43,  0,  1],
    [  1,  0,  3, 31, 32, 41,  1],
    [  1, 17,10001,10002, 20, 4, 5]
],
"events": {
    "1,1": [
        "\t[Man,man]\b[up]Take this.",
        {"type": "setValue", "name": "item:blueKey", "operator": "+=", "value": "1"},
        {"type": "setValue", "name": "flag:met", "value": "true"},
        {"type": "hide", "remove": true, "time": 200}
    ],
    "1,2": [
        {"type": "choices", "text": "What will it be?", "choices": [
            {"text": "Gold", "action": [{"type": "insert", "name": "reward", "args": [2]}]},
            {"text": "Life", "need": "status:money>=5", "condition": "!switch:A", "action": [
                {"type": "setValue", "name": "switch:A", "value": "true"},
                {"type": "setValue", "name": "status:hp", "operator": "*=", "value": "1.5"},
                {"type": "setValue", "name": "status:mana", "operator": "-=", "value": "1"}
            ]},
            {"text": "Nothing", "action": []}
        ]}
    ],
    "2,3": {"enable": false, "data": []},
    "5,1": {"trigger": "action", "data": [
        {"type": "battle", "loc": [5, 1]},
        {"type": "setValue", "name": "temp:A", "value": "enemy:slime:atk+1"}
    ]},
    "4,3": ["Never read."],
    "2,2": ["A sign that is only read."],
    "2,1": [
        {"type": "if", "condition": "(core.getBlockId(5,1)==='slime' && !core.hasItem('cross'))", "true": [
            {"type": "openDoor", "loc": [2, 3], "async": true},
            {"type": "waitAsync"}
        ], "false": [
            {"type": "function", "function": "function(){\nif (!core.isReplaying()) { flags.x = 1; core.setBlock('yellowDoor', 2, 4); }\n}"}
        ]},
        {"type": "openShop", "id": "altar", "open": true},
        {"type": "openShop", "id": "stall", "open": true},
        {"type": "openShop", "id": "buyer", "open": true}
    ]
},
"changeFloor": {
    "3,0": {"floorId": ":next", "stair": "downFloor"},
    "1,3": {"floorId": "F9", "loc": [1, 1]}
},
"firstArrive": [
    {"type": "setCurtain", "time": 100},
    {"type": "setValue", "name": "flag:begun", "operator": "+=", "value": "1"}
],
"eachArrive": [{"type": "playBgm", "name": "hall.mp3"}],
"afterBattle": {"5,2": [{"type": "setValue", "name": "flag:door", "operator": "+=", "value": "1"}]},
"afterGetItem": {"1,4": ["A key."], "3,4": [{"type": "changePos", "direction": "down"}, {"type": "moveHero", "steps": ["left:1"]}]},
"afterOpenDoor": {"3,1": [{"type": "show", "loc": [[2, 3]]}]},
"autoEvent": {"2,3": {"0": {"condition": "flag:door==1", "currentFloor": true, "priority": 0, "delayExecute": false, "multiExecute": false, "data": [{"type": "openDoor"}, {"type": "setValue", "name": "flag:door", "value": "null"}, {"type": "break"}]}}},
"cannotMove": {"5,4": ["up"]},
"cannotMoveIn": {"5,5": ["up"]},
"parallelDo": "core.status.hero.hp++;",
"bgmap": [],
"fgmap": []
}
