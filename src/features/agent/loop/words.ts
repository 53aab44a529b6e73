/** What we say to a model between its steps. Repository text never stands in these. */

export const nudge =
  'You called no tool. If the work is done, call finish with a title and a summary. If not, go on with the next tool call. Nobody is there to answer questions: decide yourself and note it in the summary.'

export const cutOff =
  'Your answer was cut off at the most that you can say at once. Go on in smaller pieces: write a short file first, then add to it with edit.'

export const finishTooEarly =
  'Not finished: a call before this one did not work. See what it says, do what is still needed, then call finish.'

export function repeating(times: number): string {
  return `Note: you have made this same call ${times} times. It will not give anything else: do something different, or call finish.`
}

export function stepsLeft(left: number): string {
  return `Note: ${left} steps are left. Bring the work into a state that can be published, then call finish.`
}

export function wrapUp(reason: string): string {
  return `Note: this is the last step: ${reason}. Call finish now. Say in the summary what is done and what is not.`
}
