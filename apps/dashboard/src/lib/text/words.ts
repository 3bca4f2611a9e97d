/** `PENDING_APPROVAL` becomes `Pending approval`. */
export function words(value: string): string {
  const text = value.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
