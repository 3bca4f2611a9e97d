import { expect, test } from 'vitest'
import { boundedText } from './bounded-body.ts'

test('a body is read up to its limit in bytes, and not a byte further', async () => {
  expect(await boundedText(new Response('grüße'), 7)).toBe('grüße')
  await expect(boundedText(new Response('grüße'), 6)).rejects.toThrow('larger than 6 bytes')
  expect(await boundedText(new Response(null), 0)).toBe('')
})

test('an endless body is left as soon as it is too large', async () => {
  let [sent, isCancelled] = [0, false]
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1_000
      controller.enqueue(new Uint8Array(1_000))
    },
    cancel() {
      isCancelled = true
    },
  })
  await expect(boundedText(new Response(endless), 5_000)).rejects.toThrow('larger than 5000 bytes')
  expect(isCancelled).toBe(true)
  expect(sent).toBeLessThan(10_000)
})
