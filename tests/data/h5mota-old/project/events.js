events_00000000_0000_4000_8000_000000000001 = { "events": { "firstArrive": [] } }
