/** Every token of the tours has six decimals, as USDC has on public chains. */
const DECIMALS = 6

/** Base units of decimal text, exactly: "28.43003" is 28430030. */
export function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** All six digits: "10,028.430030". */
export function exact(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0')
  const whole = digits.slice(0, -DECIMALS).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0n ? '-' : ''}${whole}.${digits.slice(-DECIMALS)}`
}

/** The same without closing zeros, but with cents: "10,028.43003", "1,000.00". */
export const brief = (amount: bigint): string => exact(amount).replace(/(\.\d\d\d*?)0+$/, '$1')

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
