type Json = Record<string, unknown>

interface JsonSchema {
  readonly $ref?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}
interface Document {
  readonly paths?: Record<string, Record<string, { readonly requestBody?: unknown; readonly responses?: Json }>>
  readonly components?: { readonly schemas?: Record<string, JsonSchema> }
}

/** By operation, as `GET /v1/wallets`: answers by status, and under `request` a body that was accepted. */
type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Adds to each successful JSON response an answer that the service once gave, and to each JSON request body one that it
 * accepted: `scripts/documents/write-examples.ts` writes them. They are read when somebody asks for the document. An example that
 * this document does not describe is left out: previews change the shape of some.
 */
export async function withExamples(document: object): Promise<object> {
  const { default: examples } = (await import('./examples.json', { with: { type: 'json' } })) as { default: Examples }
  const { paths = {} } = document as Document
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody, responses = {} }] of Object.entries(operations)) {
      const known = examples[`${method.toUpperCase()} ${path}`] ?? {}
      for (const [name, example] of Object.entries(known)) {
        const described = (name === 'request' ? requestBody : responses[name]) as Json | undefined
        const content = described?.content as Record<string, Json> | undefined
        const json = content?.['application/json']
        if (json && hasShape(document, json.schema as JsonSchema, example)) json.example = example
      }
    }
  }
  return document
}

/** Whether every required field is there, and every field is described. */
export function hasShape(document: Document, schema: JsonSchema, value: unknown): boolean {
  const { required = [], properties = {}, items } = resolved(document, schema)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return items === undefined || value.every((member) => hasShape(document, items, member))
  const isDescribed = Object.keys(properties).length > 0
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, member]) =>
      properties[name] ? hasShape(document, properties[name], member) : !isDescribed,
    )
  )
}

function resolved({ components }: Document, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (components?.schemas?.[schema.$ref.split('/').at(-1)!] ?? {})
}
