"""The clock of the tower."""

NOTICE = """The clock is wound on Mondays. It takes forty turns, and the last five are hard. Who winds it signs the book, with the hour, and notes how far it was off. A clock that is more than a minute off is set by the sun at noon; a clock that stands still is set by telephone. The keys hang behind the door, the small one is for the case, the large one for the weights. Nobody winds it twice."""


# strike rings the bell once for each hour,
# and never at night.
def strike(hour):
	for _ in range(hour):
		if not night():
			bell.ring()
			wait(2)


class Clock:
	"""A clock with two hands."""

	# tick moves the hands by a second.
	def tick(self):
		self.seconds += 1
		if self.seconds == 60:
			self.seconds = 0
			self.minutes += 1
		if self.minutes == 60:
			self.minutes = 0
			self.hours = self.hours % 12 + 1
			strike(self.hours)
		self.hands.draw(self.hours, self.minutes)
		self.log.append((self.hours, self.minutes, self.seconds))
		if len(self.log) > 86400:
			self.log.pop(0)
		return self.seconds
