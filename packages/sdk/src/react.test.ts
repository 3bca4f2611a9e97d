import { expect, expectTypeOf, test } from 'vitest'
import type { components } from './generated/openapi.ts'
import { Weir } from './index.ts'
import { createQueries } from './react.ts'

const urls: string[] = []
const weir = new Weir({
  baseUrl: 'http://weir.example',
  fetch: async (url) => {
    urls.push(String(url))
    return Response.json({ success: true, data: [{ id: 1 }] })
  },
})
const queries = createQueries(weir)

test('a query calls the method of its name with its arguments', async () => {
  const options = queries.core.webhooks.listDeliveries(7, { limit: 5 })
  expect(options.queryKey).toEqual(['weir', 'listWebhookDeliveries', 7, { limit: 5 }])
  const { signal } = new AbortController()
  expect(await (options.queryFn as (context: object) => unknown)({ signal })).toEqual([{ id: 1 }])
  await (queries.v1.wallets.list().queryFn as (context: object) => unknown)({ signal })
  expect(urls).toEqual(['http://weir.example/api/core/webhooks/7/deliveries?limit=5', 'http://weir.example/v1/wallets'])
})

test('only operations that read have a query', () => {
  expect(queries.v1.operations).not.toHaveProperty('supply')
  expect(queries.v1.ramp.transactions).not.toHaveProperty('export')
  expectTypeOf<keyof typeof queries.v1.operations>().toEqualTypeOf<'list' | 'get' | 'unsignedTransactions'>()
})

test('the data of a query has the type of the response', () => {
  const options = queries.v1.operations.get(1)
  type Data = Awaited<ReturnType<Extract<typeof options.queryFn, (...args: never) => unknown>>>
  expectTypeOf<Data>().toEqualTypeOf<components['schemas']['Operation']>()
})
