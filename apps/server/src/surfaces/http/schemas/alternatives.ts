import Type, { type TObject, type TProperties } from 'typebox'
import { documentedAs } from './documented-as.ts'

/** One way to fill in a body. */
interface Alternative {
  /** What this way is called in the document. */
  readonly title: string
  /** Fields that it requires. */
  readonly requires: readonly string[]
  /** Fields that belong to another way. */
  readonly without?: readonly string[]
  /** Fields that have only this value. */
  readonly constant?: Readonly<Record<string, unknown>>
}

/**
 * A body that accepts alternatives. The verb checks which, with its own errors; the document shows the alternatives.
 * `oneOf`: exactly one of them is meant. `anyOf`: several may be sent together.
 */
export function alternatives<P extends TProperties>(
  keyword: 'oneOf' | 'anyOf',
  body: TObject<P>,
  ways: readonly Alternative[],
): TObject<P> {
  const {
    properties,
    required = [],
    ...rest
  } = body as unknown as Record<string, unknown> & {
    properties: Record<string, object>
    required?: string[]
  }
  const branches = ways.map(({ title, requires, without = [], constant = {} }) => ({
    type: 'object',
    title,
    required: [...new Set([...required, ...requires])].filter((name) => !without.includes(name)),
    properties: Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !without.includes(name))
        .map(([name, schema]) => [name, name in constant ? { ...schema, const: constant[name] } : schema]),
    ),
  }))
  const { $id, description } = rest
  const exact = {
    ...($id !== undefined && { $id }),
    ...(description !== undefined && { description }),
    [keyword]: branches,
  }
  return Type.Object(properties as unknown as P, { ...rest, ...documentedAs(exact) }) as TObject<P>
}
