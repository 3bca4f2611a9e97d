// Reads the declarations in database/schema/, for the document on the database and for the test that compares them with
// the migrated database. Types do not exist at run time, so this parses the text.
import { readdirSync, readFileSync } from 'node:fs'

export interface DeclaredColumn {
  /** The type as written in the source. */
  readonly type: string
  readonly comment: string | undefined
}

export type DeclaredTables = ReadonlyMap<string, ReadonlyMap<string, DeclaredColumn>>

const folder = new URL('../../apps/server/src/database/schema/', import.meta.url)
/** The files of the folder: `room.ts` or `room-part.ts`; each ends with the interface of its tables. */
const files = readdirSync(folder)
  .filter((name) => name !== 'column-types.ts')
  .map((name) => ({ room: name.replace(/(-\w+)?\.ts$/, ''), text: readFileSync(new URL(name, folder), 'utf8') }))

/** Names of types that are unions of string literals. */
export const TEXT_UNIONS: ReadonlySet<string> = new Set(
  files.flatMap(({ text }) =>
    [...text.matchAll(/^export type (\w+) =((?:\s*\|?\s*'[^']*')+)$/gm)].map(([, name]) => name!),
  ),
)

/** The tables that each room's file declares. */
export function declaredTablesByRoom(): ReadonlyMap<string, DeclaredTables> {
  const rooms = Map.groupBy(files, ({ room }) => room)
  return new Map([...rooms].map(([room, parts]) => [room, new Map(parts.flatMap(({ text }) => [...tablesOf(text)]))]))
}

/** Every table with its columns, each in the order of its declaration. */
export function declaredTables(): DeclaredTables {
  return new Map([...declaredTablesByRoom().values()].flatMap((tables) => [...tables]))
}

function tablesOf(text: string): DeclaredTables {
  const body = text.slice(text.search(/^export interface \w+Tables \{/m))
  return new Map(
    membersOf(body.slice(body.indexOf('{') + 1, body.lastIndexOf('}'))).map(({ name, type }) => [
      name,
      new Map(membersOf(type.slice(1, -1)).map((column) => [column.name, column])),
    ]),
  )
}

interface Member extends DeclaredColumn {
  readonly name: string
}

/** The members of an object type, given the text between its braces. */
function membersOf(text: string): Member[] {
  return splitMembers(text).map((member) => {
    const [, comment, name, type] = /^(?:\/\*\*([\s\S]*?)\*\/)?\s*(\w+): ([\s\S]*)$/.exec(member) ?? []
    if (name === undefined || type === undefined) throw new Error(`database/schema: cannot read ${member}`)
    return { name, type: type.trim(), comment: comment?.replace(/\s*\n\s*\*\s*/g, ' ').trim() }
  })
}

/** A member ends at a semicolon or at the end of its line, outside brackets and comments. */
function splitMembers(text: string): string[] {
  const members: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of text.matchAll(/\/\*\*[\s\S]*?\*\/\s*|=>|[{}()<>[\];\n]/g)) {
    if ('{(<['.includes(token)) depth += 1
    else if ('})>]'.includes(token)) depth -= 1
    else if (depth === 0 && (token === ';' || token === '\n')) {
      members.push(text.slice(from, index))
      from = index + 1
    }
  }
  members.push(text.slice(from))
  return joinUnions(members.map((member) => member.trim()).filter((member) => member !== ''))
}

/** Joins a union that spans several lines into one member. */
function joinUnions(members: readonly string[]): string[] {
  const joined: string[] = []
  for (const member of members) {
    if (member.startsWith('|')) joined.push(`${joined.pop()} ${member}`)
    else joined.push(member)
  }
  return joined
}
