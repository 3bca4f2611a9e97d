import { afterAll, beforeAll } from 'vitest'

/**
 * Opens a fixture before the tests of the file and closes it after them. The object is empty until then, so read its
 * properties within tests.
 */
export function useFixture<T extends { close(): unknown }>(open: () => Promise<T>): T {
  const fixture = {} as T
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
    Object.defineProperties(fixture, Object.getOwnPropertyDescriptors(opened))
  })
  afterAll(() => opened?.close())
  return fixture
}
