const RECOVERIES: ReadonlyMap<number, string> = new Map([
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [86_400, '1 day'],
  [259_200, '3 days'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
])

/** How long a fact must be fine, in words. */
export const recoveryName = (seconds: number): string => RECOVERIES.get(seconds) ?? `${seconds} seconds`

/** The usual times, and the one that is in force. */
export const recoveryChoices = (inForce: number) =>
  [...new Set([...RECOVERIES.keys(), inForce])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: recoveryName(seconds) }))
