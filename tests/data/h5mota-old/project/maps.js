maps_00000000_0000_4000_8000_000000000001 = 
{
    "1": { "cls": "animates", "id": "yellowWall", "noPass": true },
    "2": { "cls": "terrains", "id": "grass", "noPass": false },
    "21": { "cls": "items", "id": "yellowKey" },
    "27": { "cls": "items", "id": "redJewel" },
    "28": { "cls": "items", "id": "blueJewel" },
    "29": { "cls": "items", "id": "greenJewel" },
    "31": { "cls": "items", "id": "redPotion" },
    "46": { "cls": "items", "id": "shoes" },
    "81": { "cls": "terrains", "id": "yellowDoor", "trigger": "openDoor", "animate": 4 },
    "85": { "cls": "terrains", "id": "specialDoor", "trigger": "openDoor" },
    "86": { "cls": "terrains", "id": "steelDoor", "trigger": "openDoor" },
    "87": { "cls": "terrains", "id": "upFloor", "noPass": true },
    "88": { "cls": "terrains", "id": "downFloor", "noPass": false },
    "121": { "cls": "npcs", "id": "man" },
    "201": { "cls": "enemys", "id": "slime" },
    "202": { "cls": "enemys", "id": "bat" }
}
