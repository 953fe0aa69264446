enemys_00000000_0000_4000_8000_000000000001 = 
{
    "slime": { "name": "Slime", "hp": 40, "atk": 12, "def": 2, "money": 3, "experience": 1, "point": 0, "special": 0 },
    "bat": { "name": "Bat", "hp": 60, "atk": 18, "def": 4, "money": 5, "experience": 2, "special": [11, 18], "value": 0.5 }
}
