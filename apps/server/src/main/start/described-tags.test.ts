import { expect, test } from 'vitest'
import { everyRoute } from '../../../testing/surfaces/every-route.ts'
import { TAGS } from '../../surfaces/http/index.ts'

interface Document {
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Readonly<Record<string, Record<string, { tags: readonly string[] }>>>
}

test('every route is in one chapter of the reference; each chapter has a description and at least one route', async () => {
  const { app } = await everyRoute()
  await app.ready()
  const { tags, paths } = app.swagger() as unknown as Document
  await app.close()
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(100)
  expect(operations.filter((operation) => operation.tags.length !== 1)).toEqual([])
  const used = new Set(operations.flatMap((operation) => operation.tags))
  expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort())
  expect(tags.map(({ name }) => name)).toEqual(Object.keys(TAGS))
  for (const { name, description } of tags) expect(description, name).toMatch(/^\S.*\.$/)
})
