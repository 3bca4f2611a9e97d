/** Weights of the nine digits of an ABA routing number. */
const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/** Whether a text is a valid US routing number: nine digits, the last of which is a check digit. */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === '000000000') return false
  return weigh(text) % 10 === 0
}

/** Appends the check digit to the first eight digits of a routing number. */
export function routingNumberOf(first: string): string {
  return `${first}${(10 - (weigh(first) % 10)) % 10}`
}

function weigh(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * WEIGHTS[index]!, 0)
}
