/**
 * The beginning of a text: at most `length` UTF-16 units, and never half of a character, which PostgreSQL refuses in
 * JSON.
 */
export function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
