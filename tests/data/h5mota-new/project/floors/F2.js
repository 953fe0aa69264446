main.floors.F2=
{
"floorId": "F2",
"title": "Tower",
"name": "2",
"width": 7,
"height": 7,
"ratio": 2,
"downFloor": [3, 6],
"map": [
    [  1,  1,  1,  1,  1,  1,  1],
    [  1,203,  0, 27, 28, 29,  1],
    [  1,  0,  0, 35, 36, 37,  1],
    [  1, 38, 39, 40, 33, 34,  1],
    [  1,204,205,  0, 24, 84,  1],
    [  1,  0,  0,  0, 91, 83,  1],
    [  1,  1,  1, 88,  1, 82,  1]
],
"events": {
    "1,2": [
        {"type": "move", "loc": [1, 1], "steps": ["right:1", "down:1"], "time": 200, "keep": true},
        {"type": "jump", "from": [2, 2], "dxy": [0, 1], "time": 200},
        {"type": "setEnemy", "id": "king", "name": "atk", "operator": "*=", "value": "2"},
        {"type": "setEnemy", "id": "king", "name": "special", "value": "[1]"},
        {"type": "setBlock", "number": "king", "loc": [[1, 1]]},
        {"type": "setBlock", "number": 0, "loc": [[3, 4], [3, 5]], "floorId": "F2"},
        {"type": "closeDoor", "id": "yellowDoor", "loc": [2, 5]},
        {"type": "openDoor", "loc": [5, 6], "needKey": true},
        {"type": "hide", "loc": [2, 2]},
        {"type": "show", "loc": [2, 2]},
        {"type": "trigger", "loc": [1, 2]}
    ],
    "2,2": [
        {"type": "switch", "condition": "flag:turn", "caseList": [
            {"case": "0", "action": [{"type": "setValue", "name": "flag:turn", "value": "1"}]},
            {"case": "1", "nobreak": true, "action": [{"type": "setValue", "name": "flag:turn", "value": "2"}]},
            {"case": "default", "action": [{"type": "insert", "loc": [1, 2]}]}
        ]},
        {"type": "while", "condition": "flag:turn<5", "data": [{"type": "setValue", "name": "flag:turn", "operator": "+=", "value": "1"}, {"type": "if", "condition": "flag:turn==4", "true": [{"type": "break"}], "false": [{"type": "continue"}]}]},
        {"type": "for", "name": "temp:A", "from": "1", "to": "3", "step": "1", "data": [{"type": "setValue", "name": "status:exp", "operator": "+=", "value": "temp:A"}]},
        {"type": "forEach", "name": "temp:B", "list": [1, 5], "data": [{"type": "setValue", "name": "flag:sum", "operator": "max=", "value": "temp:B"}]},
        {"type": "dowhile", "condition": "flag:sum<9", "data": [{"type": "setValue", "name": "flag:sum", "operator": "+=", "value": "3"}]}
    ],
    "3,5": [
        {"type": "jumpHero", "loc": [2, 5]},
        {"type": "changePos", "loc": [1, 5], "direction": "up"},
        {"type": "confirm", "text": "Down?", "yes": [{"type": "changeFloor", "floorId": "F1", "loc": [5, 4]}], "no": []},
        {"type": "function", "function": "function(){\ncore.plugin.something(3);\ncore.drawTip('done');\n}"},
        {"type": "lose", "reason": "no"},
        {"type": "setValue", "name": "flag:never", "value": "1"}
    ],
    "2,5": [
        {"type": "while", "condition": "true", "data": [{"type": "setValue", "name": "flag:round", "operator": "+=", "value": "1"}]},
        {"type": "insert", "name": "again"},
        {"type": "insert", "name": "nobody"},
        {"type": "function", "function": "function(){\nvar a = document.cookie;\ncore.status.hero.hp = a.length;\n}"},
        {"type": "if", "condition": "core.plugin.secret(3) > 2", "true": [{"type": "setValue", "name": "flag:secret", "value": "1"}], "false": ["No."]},
        {"type": "input", "text": "How much?"},
        {"type": "loadEquip", "id": "helmet"},
        {"type": "openShop", "id": "nowhere", "open": true},
        {"type": "dance"}
    ],
    "1,5": {"trigger": "action", "noPass": true, "data": [{"type": "restart"}]}
},
"changeFloor": {
    "3,6": {"floorId": "F1", "loc": [3, 0], "time": 300},
    "4,5": {"floorId": "F3", "stair": ":now"}
},
"firstArrive": [],
"afterBattle": {"1,1": [{"type": "win", "reason": "done"}]},
"afterGetItem": {},
"afterOpenDoor": {},
"cannotMove": {}
}
