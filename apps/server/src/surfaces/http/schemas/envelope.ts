import Type, { type TSchema } from 'typebox'

/** A core success (spec 2.1): `{success: true, data}`. */
export function ok<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}

/** The schema of {@link ok}: give the data its own `$id` where it deserves a name in the API reference. */
export function envelope<T extends TSchema>(data: T, description = 'Success.') {
  return Type.Object(
    { success: Type.Literal(true, { description: 'Always true; failures have another shape.' }), data },
    { description },
  )
}
