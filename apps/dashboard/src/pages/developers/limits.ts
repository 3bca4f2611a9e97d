/** Where and how long a key or a secret works, as the forms ask for it. */
export const EXPIRIES = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'never', label: 'never' },
]

export const expiryOf = (days: string): { expiresAt?: string } =>
  days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }

/** From text with commas or spaces between networks; none: any. */
export function networksOf(text: string): { allowedAddresses?: string[] } {
  const list = text.split(/[\s,]+/).filter(Boolean)
  return list.length > 0 ? { allowedAddresses: list } : {}
}
