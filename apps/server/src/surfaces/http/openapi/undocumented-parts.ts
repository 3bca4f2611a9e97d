type Json = Record<string, unknown>

/**
 * Lists the gaps in an OpenAPI document: operations without a summary, description, tag or id, and responses, parameters
 * and fields without a description. Empty if the document is complete. For a test over all routes.
 */
export function undocumentedParts(document: unknown): string[] {
  const gaps: string[] = []
  const { paths = {}, components = {} } = document as { paths?: Record<string, Json>; components?: Json }
  const ids = new Set<unknown>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Json>)) {
      const name = `${method.toUpperCase()} ${path}`
      for (const field of ['summary', 'description', 'operationId', 'tags'])
        if (!operation[field]) gaps.push(`${name} has no ${field}`)
      if (ids.has(operation.operationId)) gaps.push(`${name} shares its operationId ${operation.operationId}`)
      ids.add(operation.operationId)
      gaps.push(...operationGaps(name, path, operation))
    }
  }
  for (const [name, schema] of Object.entries((components.schemas ?? {}) as Record<string, Json>)) {
    if (!schema.description) gaps.push(`${name} has no description`)
    gaps.push(...fieldGaps(schema, name))
  }
  return gaps
}

function operationGaps(name: string, path: string, operation: Json): string[] {
  const gaps: string[] = []
  const parameters = (operation.parameters ?? []) as Json[]
  for (const parameter of parameters)
    if (!parameter.description) gaps.push(`${name} does not describe its parameter ${parameter.name}`)
  for (const [, variable] of path.matchAll(/\{(\w+)\}/g))
    if (!parameters.some((parameter) => parameter.in === 'path' && parameter.name === variable))
      gaps.push(`${name} does not declare ${variable}`)
  const responses = Object.entries((operation.responses ?? {}) as Record<string, Json>)
  if (!responses.some(([status]) => /^[123]/.test(status))) gaps.push(`${name} declares no success`)
  for (const [status, response] of responses) {
    if (!response.description) gaps.push(`${name} does not describe its ${status}`)
    gaps.push(...contentGaps(response, `${name} ${status}`))
  }
  return [...gaps, ...contentGaps((operation.requestBody ?? {}) as Json, `${name} body`)]
}

function contentGaps(holder: Json, name: string): string[] {
  const contents = Object.values((holder.content ?? {}) as Record<string, Json>)
  return contents.flatMap((content) => fieldGaps(content.schema as Json, name))
}

function fieldGaps(schema: Json, path: string): string[] {
  const gaps: string[] = []
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    if (!field.description && !field.$ref) gaps.push(`${path}.${name} has no description`)
    gaps.push(...fieldGaps(field, `${path}.${name}`))
  }
  if (schema.items) gaps.push(...fieldGaps(schema.items as Json, `${path}[]`))
  for (const branch of [schema.anyOf ?? [], schema.oneOf ?? []].flat() as Json[]) gaps.push(...fieldGaps(branch, path))
  return gaps
}
