import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { withoutIds } from './schema-components.ts'

type Serialize = (data: unknown) => string

/**
 * Compiles the serializer of a response when it is first sent. Compiling those of all routes takes longer than the rest
 * of a start, and most processes send a few of them only.
 */
export function serializersOnUse(): FastifySerializerCompiler<object> {
  const compile = SerializerSelector()({}, {})
  const known = new WeakMap<object, Serialize>()
  return ({ schema }) => {
    const existing = known.get(schema)
    if (existing) return existing
    let compiled: Serialize | undefined
    const serialize: Serialize = (data) => {
      compiled ??= compile({ schema: withoutIds(schema) } as never) as Serialize
      return compiled(data)
    }
    known.set(schema, serialize)
    return serialize
  }
}
