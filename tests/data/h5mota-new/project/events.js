var events_00000000_0000_4000_8000_000000000000 = 
{
	"commonEvent": {
		"reward": [{ "type": "setValue", "name": "status:money", "operator": "+=", "value": "10*flag:arg1" }],
		"again": [{ "type": "insert", "name": "again" }],
		"sell keys": [
			{ "type": "while", "condition": "1", "data": [
				{ "type": "choices", "text": "Keys?", "choices": [
					{ "text": "Sell", "action": [
						{ "type": "if", "condition": "item:yellowKey >= 1", "true": [
							{ "type": "setValue", "name": "item:yellowKey", "operator": "-=", "value": "1" },
							{ "type": "setValue", "name": "status:money", "operator": "+=", "value": "10" }
						], "false": ["You have none."] }
					] },
					{ "text": "Leave", "action": [{ "type": "exit" }] }
				] }
			] }
		]
	}
}
