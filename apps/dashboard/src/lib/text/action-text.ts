/** Written in capitals. */
const ACRONYMS: ReadonlySet<string> = new Set(['api', 'sso', 'kyb', 'totp', 'rpc'])

/** An action of the audit log in words: `rotateApiKey` becomes `Rotate API key`. */
export function actionText(action: string): string {
  const [first = '', ...others] = action
    .split(/(?=[A-Z])/)
    .map((part) => part.toLowerCase())
    .map((part) => (ACRONYMS.has(part) ? part.toUpperCase() : part))
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/** The action that somebody typed in words, or as the API names it. */
export function actionNamed(text: string): string {
  if (!text.includes(' ')) return text.charAt(0).toLowerCase() + text.slice(1)
  const [first = '', ...others] = text.toLowerCase().split(/\s+/)
  return [first, ...others.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('')
}
