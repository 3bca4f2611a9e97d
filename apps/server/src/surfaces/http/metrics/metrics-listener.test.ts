import { afterEach, expect, test } from 'vitest'
import { testServer } from '../server/test-server.ts'
import { HttpMetrics } from './metrics.ts'
import { type MetricsListener, startMetricsListener } from './metrics-listener.ts'

let listener: MetricsListener | undefined
afterEach(async () => {
  await listener?.close()
  listener = undefined
})

const start = async () => {
  const metrics = new HttpMetrics(undefined as never)
  listener = await startMetricsListener(metrics, { host: '127.0.0.1', port: 0 })
  return { metrics, url: listener.url }
}

test('metrics have a port of their own, and the public one serves none', async () => {
  const { metrics, url } = await start()
  const { app } = await testServer(() => undefined, { servesMetrics: false }, metrics)
  await app.inject('/health')
  const scraped = await fetch(url)
  expect(scraped.headers.get('content-type')).toContain('text/plain')
  expect(await scraped.text()).toContain(
    'weir_http_request_duration_seconds_count{method="GET",route="/health",status="200"} 1',
  )
  const refused = await app.inject('/metrics')
  expect([refused.statusCode, refused.json().code]).toEqual([404, 'NOT_FOUND'])
  expect(JSON.stringify((await app.inject('/openapi.json')).json().paths)).not.toContain('/metrics')
  await app.close()
})

test('the port of the metrics serves nothing else', async () => {
  const { url } = await start()
  const answers: [string, string, number][] = [
    ['GET', '/', 404],
    ['GET', '/health', 404],
    ['GET', '/metricsx', 404],
    ['POST', '/metrics', 405],
    ['DELETE', '/v1/wallets', 404],
    ['HEAD', '/metrics', 200],
    ['GET', '/metrics?format=text', 200],
  ]
  for (const [method, path, status] of answers) {
    const answer = await fetch(new URL(path, url), { method })
    expect([method, path, answer.status]).toEqual([method, path, status])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    if (method !== 'GET' || status !== 200) expect(await answer.text()).toBe('')
    else await answer.body?.cancel()
  }
})

test('an address in use is reported', async () => {
  const { url, metrics } = await start()
  const port = Number(new URL(url).port)
  await expect(startMetricsListener(metrics, { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE')
})
