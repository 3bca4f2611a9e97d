import { expect, test } from 'vitest'
import { everyRoute } from '../../../testing/surfaces/every-route.ts'
import { BLOCKCHAINS } from '../../chains/index.ts'

const NAMES = ['blockchain', 'network', 'network_id', 'networkId']
const COMPONENT = '#/components/schemas/Blockchain'
/** Spec 1: core shows some names in upper case. */
const UPPER_CASE = /CoreOperation\/properties\/opWallet\.blockchain$/

test('every field and parameter that names a chain is the enum of chains, so that clients are typed by it', async () => {
  const { app } = await everyRoute()
  await app.ready()
  const document = app.swagger()
  await app.close()
  const schemas = chainsIn(document, '')
  expect(schemas.length).toBeGreaterThan(60)
  expect(schemas.filter(([where, { $ref }]) => $ref !== COMPONENT && !UPPER_CASE.test(where))).toEqual([])
  const upper = schemas.filter(([where]) => UPPER_CASE.test(where)).map(([, schema]) => schema.enum)
  expect(new Set(upper.map(String))).toEqual(new Set([BLOCKCHAINS.map((name) => name.toUpperCase()).join()]))
})

type Json = Record<string, unknown>

/** Every schema of a field or parameter with one of the names, by where it is. */
function chainsIn(node: unknown, path: string): [string, Json][] {
  if (Array.isArray(node)) return node.flatMap((item, index) => chainsIn(item, `${path}/${index}`))
  if (typeof node !== 'object' || node === null) return []
  const { in: place, name, schema, properties } = node as Json
  const parameter: [string, Json][] =
    place !== undefined && NAMES.includes(String(name)) ? [[`${path}?${name}`, schema as Json]] : []
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).filter(([field]) => NAMES.includes(field))
  return [
    ...parameter,
    ...fields.map(([field, of]): [string, Json] => [`${path}.${field}`, of]),
    ...Object.entries(node).flatMap(([key, value]) => chainsIn(value, `${path}/${key}`)),
  ]
}
