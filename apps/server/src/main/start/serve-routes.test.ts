import { expect, test } from 'vitest'
import { everyRoute } from '../../../testing/surfaces/every-route.ts'

const pathsOf = async (options: Parameters<typeof everyRoute>[0]) => {
  const { app, routes } = await everyRoute(options)
  await app.close()
  return routes.map(({ url }) => url)
}

test('in live no route of the sandbox exists', async () => {
  const isOfSandbox = (url: string) => /(?:^|\/)sandbox(?:\/|$)/.test(url)
  const [sandbox, live] = [await pathsOf({}), await pathsOf({ sandbox: false })]
  expect(sandbox.filter(isOfSandbox).length).toBeGreaterThan(5)
  expect(live.filter(isOfSandbox)).toEqual([])
  expect(sandbox.filter((url) => !live.includes(url) && !isOfSandbox(url))).toEqual([])
})
