import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DeclaredTables,
  declaredTables,
  declaredTablesByRoom,
  TEXT_UNIONS,
} from '../../../../scripts/documents/read-schema.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { TABLES } from './catalog/tables.ts'
import { type DatabaseColumn, readColumns } from './queries/read-columns.ts'

/** What arrives in TypeScript for each type of PostgreSQL (type-parsers.ts). */
const FAMILIES: Readonly<Record<string, string>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'bigint',
  text: 'string',
  date: 'string',
  uuid: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Date',
  jsonb: 'json',
  _int8: 'number[]',
  _text: 'string[]',
  _timestamptz: 'Date[]',
}
/** A trigger fills them, which the catalogue does not say. */
const FILLED_BY_TRIGGERS = new Set(['operations.wallet_profile_id'])

let database: TestDatabase
let actual: DatabaseColumn[]
beforeAll(async () => {
  database = await testDatabase()
  actual = await readColumns(database.db)
})
afterAll(() => database?.close())

test('the schema declares every table and column of the migrated database, and no other', () => {
  const names = (columns: Iterable<string>) => [...columns].sort()
  const declared = [...declaredTables()].flatMap(([table, columns]) =>
    [...columns.keys()].map((name) => `${table}.${name}`),
  )
  expect(names(declared)).toEqual(names(actual.map(({ table, name }) => `${table}.${name}`)))
})

test('each table is declared in the file of the room that owns it', () => {
  const declared = [...declaredTablesByRoom()].flatMap(([room, tables]) =>
    [...tables.keys()].map((table): [string, string] => [table, room]),
  )
  const owned = Object.entries(TABLES).map(([table, { writers }]): [string, string] => {
    const [{ room } = { room: 'nobody' }] = writers
    return [table, room === 'operator' ? 'ramp' : room]
  })
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(owned))
})

test('the schema declares each column with the type that arrives, and as nullable where it is', () => {
  expect(actual.flatMap((column) => differences(declaredTables(), column))).toEqual([])
})

test('the comparison detects differences', () => {
  const declared: DeclaredTables = new Map([['t', new Map([['c', { type: 'Optional<bigint>', comment: undefined }]])]])
  const column = {
    table: 't',
    name: 'c',
    type: 'numeric(78,0)',
    typeName: 'numeric',
    isNullable: true,
    hasDefault: false,
  }
  expect(differences(declared, column)).toEqual([])
  expect(differences(declared, { ...column, typeName: 'text' })).toEqual(['t.c arrives as string, declared as bigint'])
  expect(differences(declared, { ...column, isNullable: false })).toEqual([
    't.c is never null, declared as nullable',
    't.c must be given, declared as optional',
  ])
  expect(shapeOf('ColumnType<Record<string, number>, string | undefined, string>')).toEqual({
    family: 'json',
    isNullable: false,
    isOptional: true,
  })
})

function differences(declared: DeclaredTables, column: DatabaseColumn): string[] {
  const name = `${column.table}.${column.name}`
  const written = declared.get(column.table)?.get(column.name)
  if (!written) return []
  const shape = shapeOf(written.type)
  const family = FAMILIES[column.typeName] ?? column.typeName
  const isOptional = column.isNullable || column.hasDefault || FILLED_BY_TRIGGERS.has(name)
  return [
    ...(shape.family === family ? [] : [`${name} arrives as ${family}, declared as ${shape.family}`]),
    ...(shape.isNullable === column.isNullable
      ? []
      : [
          `${name} is ${column.isNullable ? 'nullable' : 'never null'}, declared as ${shape.isNullable ? '' : 'not '}nullable`,
        ]),
    ...(shape.isOptional && !isOptional ? [`${name} must be given, declared as optional`] : []),
  ]
}

interface Shape {
  readonly family: string
  readonly isNullable: boolean
  /** An insert may leave it out. */
  readonly isOptional: boolean
}

/** What a declared type says. */
function shapeOf(type: string): Shape {
  const [, wrapper, inner = ''] =
    /^(Optional|WithDefault|Generated|JsonOrNull|JsonColumn|ColumnType)<([\s\S]*)>$/.exec(type) ?? []
  if (wrapper === 'JsonColumn') return { family: 'json', isNullable: false, isOptional: false }
  if (wrapper === 'JsonOrNull') return { family: 'json', isNullable: true, isOptional: true }
  if (wrapper === 'ColumnType') return { family: 'json', isNullable: false, isOptional: inner.includes('undefined') }
  if (wrapper === 'Optional') return { family: familyOf(inner), isNullable: true, isOptional: true }
  if (wrapper) return { family: familyOf(inner), isNullable: false, isOptional: true }
  const plain = type.replace(/ \| null$/, '')
  return { family: familyOf(plain), isNullable: plain !== type, isOptional: false }
}

function familyOf(type: string): string {
  if (TEXT_UNIONS.has(type) || /^\|?\s*'[^']*'(\s*\|\s*'[^']*')*$/.test(type)) return 'string'
  if (type === 'Now') return 'Date'
  const array = /^(\w+)\[\]$/.exec(type)
  return array ? `${familyOf(array[1]!)}[]` : type
}
