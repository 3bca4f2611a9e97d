import { expect, test } from 'vitest'
import { type Answer, json, useScriptedService } from './testing/scripted-service.ts'

const service = useScriptedService()

/** Serves this list, as it is at each request. */
function serve(list: () => readonly number[]): void {
  const answer: Answer = (request, ...rest) => {
    const query = new URL(request.url!, 'http://service').searchParams
    const [from, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
    const intents = list()
      .slice(from, from + limit)
      .map((id) => ({ id }))
    json(200, { success: true, data: { intents, total: list().length } })(request, ...rest)
  }
  service.answers = [answer]
}

/** Iterates the list, and does this with each entry. */
async function idsOf(limit: number | undefined, act: (id: number) => void = () => {}): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of service.weir().core.operations.queue({ ...(limit !== undefined && { limit }) })) {
    ids.push(id)
    act(id)
  }
  return ids
}
const down = (from: number) => Array.from({ length: from }, (_, index) => from - index)

test('each page begins with the last entry of the page before, which shows that none is missing between them', async () => {
  serve(() => down(5))
  expect(await idsOf(2)).toEqual([5, 4, 3, 2, 1])
  const offsets = service.seen.map(({ url }) => new URL(url, 'http://service').searchParams.get('offset'))
  expect(offsets).toEqual(['0', '1', '2', '3', '4'])
})

test.each([
  [5, 1],
  [5, 2],
  [4, 2],
  [250, undefined],
])('all of %i entries that leave the list once they are read come in pages of %s', async (count, limit) => {
  let list = down(count)
  serve(() => list)
  const leave = (id: number) => {
    list = list.filter((one) => one !== id)
  }
  expect(await idsOf(limit, leave)).toEqual(down(count))
  expect(list).toEqual([])
})

test.each([2, 3, 4])('with pages of %i, every other entry leaves and new ones come in front', async (limit) => {
  let list = down(9)
  serve(() => list)
  const found = await idsOf(limit, (id) => {
    list = list.filter((one) => one !== id || id % 2 === 0)
    if (id <= 9) list = [100 + id, ...list]
  })
  expect(found.filter((id) => id <= 9)).toEqual(down(9))
  expect(new Set(found).size).toBe(found.length)
})

test('entries that others remove meanwhile hide none of the rest', async () => {
  let list = down(12)
  serve(() => list)
  const found = await idsOf(3, (id) => {
    if (id === 7) list = list.filter((one) => one < 7)
  })
  expect(found).toEqual(down(12))
})

test('a list that begins at an offset stays behind it', async () => {
  serve(() => down(6))
  const ids: number[] = []
  for await (const { id } of service.weir().core.operations.queue({ offset: 3, limit: 2 })) ids.push(id)
  expect(ids).toEqual([3, 2, 1])
})

test.each([1, 2])('a list that grows with each request ends, with pages of %i', async (limit) => {
  let list = down(12)
  let requests = 0
  serve(() => {
    // The list is looked at twice for each request.
    if (requests < service.seen.length) list = [list.length + 1, ...list]
    requests = service.seen.length
    return list
  })
  const found = await idsOf(limit)
  expect(down(12).filter((id) => !found.includes(id))).toEqual([])
  expect(service.seen.length).toBeLessThan(200)
})

test('a list whose order changes with each page ends', async () => {
  // Two entries change places with every request, at the seam of two pages.
  serve(() => (service.seen.length % 2 === 1 ? [6, 5, 4, 3, 2, 1] : [6, 4, 5, 3, 2, 1]))
  expect((await idsOf(2)).length).toBeGreaterThan(4)
  expect(service.seen.length).toBeLessThan(100)
})
