import pg from 'pg'

const { builtins } = pg.types
/** Object ids of the array types, which `pg` does not name. */
const INT8_ARRAY = 1016
const NUMERIC_ARRAY = 1231
const DATE_ARRAY = 1182

/** int8 as a number: ids and block numbers stay below 2^53 (contract 1). A larger one is a defect, never rounded. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`an int8 of ${text} does not fit a number: cast it to numeric`)
  return value
}

/** numeric as a bigint: money has no fraction in the database. */
function wholeNumber(text: string): bigint {
  if (!/^-?[0-9]+$/.test(text)) throw new Error(`a numeric of ${text} is not a whole number: cast it to float8 or text`)
  return BigInt(text)
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [builtins.NUMERIC, wholeNumber],
  // A day has no time zone, so it stays 'YYYY-MM-DD'.
  [builtins.DATE, (text) => text],
  [INT8_ARRAY, arrayOf(safeInteger)],
  [NUMERIC_ARRAY, arrayOf(wholeNumber)],
  [DATE_ARRAY, arrayOf((text) => text)],
])

/** PostgreSQL writes an array of plain values as {1,NULL,3}. */
function arrayOf(parse: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => {
    const inner = text.slice(1, -1)
    return inner === '' ? [] : inner.split(',').map((item) => (item === 'NULL' ? null : parse(item)))
  }
}

/** Converts PostgreSQL's values in one place; `schema.ts` declares the resulting types. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    const parser = format === 'binary' ? undefined : parsers.get(oid)
    return parser ?? pg.types.getTypeParser(oid, format)
  },
}
