/** Weights of the nine digits of an ABA routing number. */
const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/** Whether a text is a routing number as US banks have them: nine digits, the last of which checks the others. */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === '000000000') return false
  return weigh(text) % 10 === 0
}

/** The routing number that begins with these eight digits. */
export function routingNumberOf(first: string): string {
  return `${first}${(10 - (weigh(first) % 10)) % 10}`
}

function weigh(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * WEIGHTS[index]!, 0)
}
