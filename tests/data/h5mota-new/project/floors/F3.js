// Written by hand, as JavaScript.
main.floors.F3 = {
	floorId: 'F3',
	title: 'Cellar',
	ratio: 1.5, // one and a half
	map: [
		[1, 1, 1, 1, 1],
		[1, 27, 21, 31, 1],
		[1, 0, 0, 0, 1],
		[1, 0, 201, 0, 1],
		[1, 1, 1, 1, 1],
		[1, 0, 0, 0, 0],
	],
	events: {
		'1,2': { enable: false, data: ['Boo', { type: 'addValue', name: 'status:experience', value: 2 }] },
	},
	changeFloor: {
		'4,5': { floorId: 'F2', loc: [1, 4] }, /* no way back */
	},
	eachArrive: function () { return 1; },
};
