import { SETTINGS } from '../config.ts'

/** What `npm start` takes: every setting with its default and the first words of its meaning. */
export function serviceHelp(): string {
  const rows = Object.values(SETTINGS).map(({ name, defaultValue, description }) => [
    `${name}=${defaultValue ?? ''}`,
    brief(description),
  ])
  const width = Math.max(...rows.map(([setting = '']) => setting.length))
  const settings = rows.map(([setting = '', what]) => `  ${setting.padEnd(width)}  ${what}`)
  return `npm start            runs the service; it prints "ready http://HOST:PORT" when it answers
npm start -- --help  prints this

It takes no arguments. Settings are environment variables, here with their defaults; docs/settings.md tells them in full.

${settings.join('\n')}`
}

/** Up to where the details begin. */
function brief(meaning: string): string {
  return meaning.split(/[.;:] /, 1)[0]!.replaceAll('`', '')
}
