/** The time, as an argument: tests move it by hand. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
