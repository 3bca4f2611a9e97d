import type { SettingParser } from './setting-parsers.ts'

export interface Setting<T> {
  readonly name: string
  /** The text used when the setting is unset; undefined: there is no default, and it stays unset. */
  readonly defaultValue: string | undefined
  readonly description: string
  readonly parse: SettingParser<T>
  /** The value is, or may contain, a password: no message repeats it. */
  readonly secret: boolean
}

/** A setting with a default. */
export const setting = <T>(
  name: string,
  defaultValue: string,
  parse: SettingParser<T>,
  description: string,
): Setting<T> => {
  return { name, defaultValue, description, parse, secret: false }
}

/** A setting that may stay unset. */
export const optional = <T>(name: string, parse: SettingParser<T>, description: string): Setting<T | undefined> => {
  return { name, defaultValue: undefined, description, parse, secret: false }
}

/** A setting whose value no message repeats. */
export const secret = <T>(name: string, parse: SettingParser<T>, description: string): Setting<T | undefined> => {
  return { ...optional(name, parse, description), secret: true }
}
