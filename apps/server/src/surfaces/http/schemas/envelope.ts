import Type, { type TSchema } from 'typebox'

/** A successful core response (spec 2.1): `{success: true, data}`. */
export function ok<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}

/** The schema of {@link ok}. Give the data an `$id` if it deserves a name in the API reference. */
export function envelope<T extends TSchema>(data: T, description = 'Success.') {
  return Type.Object(
    { success: Type.Literal(true, { description: 'Always true; errors have a different shape.' }), data },
    { description },
  )
}
