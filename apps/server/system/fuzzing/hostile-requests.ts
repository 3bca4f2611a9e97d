const hidden = 'GET /v1/venues HTTP/1.1\r\nHost: localhost\r\n\r\n'
const post = (...lines: string[]) => ['POST /v1/wallets/register HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')

/** Requests that a proxy and a server could divide differently, each with a second one in its body. */
export const SMUGGLED: readonly (readonly [shape: string, bytes: string])[] = [
  [
    'Content-Length and Transfer-Encoding',
    post('Content-Length: 6', 'Transfer-Encoding: chunked', '', `0\r\n\r\n${hidden}`),
  ],
  [
    'Transfer-Encoding and Content-Length',
    post('Transfer-Encoding: chunked', 'Content-Length: 6', '', `0\r\n\r\n${hidden}`),
  ],
  ['two lengths that differ', post('Content-Length: 0', 'Content-Length: 40', '', hidden)],
  ['two lengths that agree', post('Content-Length: 0', 'Content-Length: 0', '', hidden)],
  ['a list of lengths', post('Content-Length: 0, 40', '', hidden)],
  ['a signed length', post('Content-Length: +0', '', hidden)],
  ['a negative length', post('Content-Length: -1', '', hidden)],
  ['a hexadecimal length', post('Content-Length: 0x10', '', hidden)],
  ['an unknown transfer encoding', post('Transfer-Encoding: xchunked', '', `0\r\n\r\n${hidden}`)],
  ['chunked before another encoding', post('Transfer-Encoding: chunked, identity', '', `0\r\n\r\n${hidden}`)],
  ['a space before the colon', post('Transfer-Encoding : chunked', '', `0\r\n\r\n${hidden}`)],
  ['a folded header', post('X: a', ' Transfer-Encoding: chunked', '', `0\r\n\r\n${hidden}`)],
  ['a NUL in a header', post('X: a\0b', 'Content-Length: 0', '', hidden)],
  ['a bare carriage return in a header', post('X: a\rContent-Length: 40', '', hidden)],
  ['a chunk size that is no number', post('Transfer-Encoding: chunked', '', `zz\r\n${hidden}`)],
  ['a chunk of 2^64 bytes', post('Transfer-Encoding: chunked', '', `10000000000000000\r\n${hidden}`)],
]

/** Spellings of paths that need a credential. */
export const SPELLINGS: readonly string[] = [
  '//v1/wallets',
  '/v1//wallets',
  '/./v1/wallets',
  '/docs/../v1/wallets',
  '/docs/%2e%2e/v1/wallets',
  '/%76%31/wallets',
  '/v1/wallets/',
  '/v1/wallets;jsessionid=1',
  '/v1/wallets%3bx=1',
  '/v1/wallets%2f1',
  '/v1/wallets%00',
  '/v1/wallets%0d%0aX:%20y',
  '/V1/WALLETS',
  '\\v1\\wallets',
  '/v1/wallets.json',
  '/v1/wallets/style.css',
  'http://localhost/v1/wallets',
  'http://evil.example/v1/wallets',
  '/api/core/members?x-api-key=admin',
  '/api/core/auth/login/../../members',
]
