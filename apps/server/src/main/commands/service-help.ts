import { settingSections } from '../../config/setting-sections.ts'

/** The help of `npm start`: every setting with its default and the first words of its description. */
export function serviceHelp(): string {
  const sections = settingSections().map(({ title, settings }) => ({
    title,
    rows: settings.map(({ name, defaultValue, description }) => [`${name}=${defaultValue ?? ''}`, brief(description)]),
  }))
  const width = Math.max(...sections.flatMap(({ rows }) => rows.map(([setting = '']) => setting.length)))
  const settings = sections.map(({ title, rows }) =>
    [`${title}:`, ...rows.map(([setting = '', what]) => `  ${setting.padEnd(width)}  ${what}`)].join('\n'),
  )
  return `npm start            runs the service; it prints "ready http://HOST:PORT" when it serves
npm start -- --help  prints this

It takes no arguments. Settings are environment variables, here with their defaults; docs/settings.md has the details.

${settings.join('\n\n')}`
}

/** The description up to its first period, semicolon or colon. */
function brief(meaning: string): string {
  return meaning.split(/[.;:] /, 1)[0]!.replaceAll('`', '')
}
