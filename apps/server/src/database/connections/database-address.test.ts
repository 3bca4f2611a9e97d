import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-address.ts'

test.each([
  ['postgres://weir:pw@db.example/weir', ['db.example:5432']],
  ['postgres://db.example:6432/weir', ['db.example:6432']],
  ['postgresql://weir@one:5432,two:5433,three/weir?sslmode=verify-full', ['one:5432', 'two:5433', 'three:5432']],
  ['postgres://weir@[::1]:5432,[fd00::2]/weir', ['::1:5432', 'fd00::2:5432']],
  ['postgres://weir@/weir?host=one,two&port=5432,5433', ['one:5432', 'two:5433']],
  ['postgres://weir@/weir?host=one,two&port=6000', ['one:6000', 'two:6000']],
  ['postgres://weir@%2Fvar%2Frun/weir', ['/var/run:5432']],
  ['postgres://weir@/weir?host=/var/run', ['/var/run:5432']],
])('%s names its servers in order', (url, servers) => {
  expect(parseDatabaseUrl(url).servers.map(({ host, port }) => `${host}:${port}`)).toEqual(servers)
})

test('the driver gets the first server and neither lists nor parameters that poolers refuse', () => {
  const { url, session, mustAcceptWrites } = parseDatabaseUrl(
    'postgres://we%40ir:p%2Fw@one:1,two:2/weir?statement_timeout=5s&sslmode=verify-full&target_session_attrs=read-write',
  )
  expect(url).toBe('postgres://we%40ir:p%2Fw@one:1/weir?sslmode=verify-full')
  expect(session).toEqual({ statement_timeout: '5s' })
  expect(mustAcceptWrites).toBe(true)
  expect(parseDatabaseUrl('postgres://one/weir?target_session_attrs=any').mustAcceptWrites).toBe(false)
})

test.each([
  ['mysql://one/weir', /begins with postgres/],
  ['postgres://one,/weir', /must name a host/],
  ['postgres://one:70000/weir', /ports from 1 to 65535/],
  ['postgres:///weir?host=one,two&port=1,2,3', /one port, or one for each host/],
  ['postgres://one/weir?target_session_attrs=standby', /target_session_attrs/],
])('%s is refused with a reason that does not repeat it', (url, reason) => {
  expect(() => parseDatabaseUrl(url)).toThrow(reason)
  expect(() => parseDatabaseUrl(url)).not.toThrow(url)
})
