import { UsageError } from './shell.ts'

/** An argument or the value of an option as a number. `what` names it in the error. */
export function wholeNumber(what: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${what} must be a whole number, not "${text}"`)
  return Number(text)
}
