/** Longer texts are cut; no field of the service that people write is longer by design. */
const TEXT_MAX = 2_000

/**
 * What a person does not see: controls, format characters such as marks of direction, halves of surrogate pairs, line and
 * paragraph separators, and what fonts ignore, such as zero-width characters, variation selectors and tags. Each can hide
 * text from a reader, or carry text that only a model reads.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text without what a person would not see, on one line. */
export function cleanText(text: string): string {
  const visible = text.replace(/[\t\n\r]+/g, ' ').replace(UNSEEN, '')
  return visible.length > TEXT_MAX ? `${visible.slice(0, TEXT_MAX)}…` : visible
}

/** The same value with every text in it cleaned, names of fields included. Drops what `omitted` names, at any depth. */
export function cleanData(value: unknown, omitted: ReadonlySet<string> = new Set()): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map((item) => cleanData(item, omitted))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !omitted.has(name))
      .map(([name, item]) => [cleanText(name), cleanData(item, omitted)]),
  )
}
