import Type from 'typebox'

/** An id in a path, a query or a body: a positive integer below 2^53 (contract 1). */
export const id = (description: string) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

/** `:id` in a path. */
export const idParams = (description: string) => Type.Object({ id: id(description) })
