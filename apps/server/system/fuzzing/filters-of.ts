import type { Contract } from '../money/contract.ts'

interface Parameter {
  readonly in: string
  readonly name: string
  readonly schema: { readonly enum?: readonly string[]; readonly type?: string; readonly $ref?: string }
}

/** Each value of each query parameter of a route that has a few, one at a time. */
export function filtersOf({ paths, components }: Contract['document'], route: string): Record<string, string>[] {
  const [method = '', path = ''] = route.split(' ')
  const { parameters = [] } = paths[path]![method.toLowerCase()] as { parameters?: readonly Parameter[] }
  const named = (components as { schemas?: Record<string, Parameter['schema']> }).schemas ?? {}
  return parameters.flatMap(({ in: place, name, schema }) => {
    const { enum: words, type } = schema.$ref ? named[schema.$ref.split('/').at(-1)!]! : schema
    const values = words ?? (type === 'boolean' ? ['true', 'false'] : [])
    return place === 'query' ? values.map((value) => ({ [name]: value })) : []
  })
}
