import fc from 'fast-check'

/** JSON that JSON.stringify cannot produce: huge numbers, duplicate and dangerous names. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON.stringify that writes {@link RawJson} unchanged. */
export function encodeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${encodeJson(member)}`).join(',')}}`
}

const nested = (open: string, close: string, depth: number) => new RawJson(open.repeat(depth) + close.repeat(depth))

const TEXTS = [
  ...['', ' ', '0', '-1', '+1', ' 1', '1.0', '00', '1e3', '0x10', 'NaN', 'Infinity', 'null', 'true', '[]', '{}'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'],
  ...[
    "' or '1'='1",
    "'; drop table wallets; --",
    '$1',
    '\\',
    '"',
    '%',
    '_',
    '*',
    '../../../..',
    '%s%n',
    '$(id)',
    '`id`',
  ],
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff', '\u202e', '\ufeff', '\u2028', '👩‍👩‍👧', 'İ', 'ß', 'ﬀ', 'é', 'e\u0301'],
  ...['<script>alert(1)</script>', '{{7*7}}', 'a\nb', '\r\n', '\t', 'x'.repeat(256), 'x'.repeat(5_000)],
  ...[String(2 ** 31), String(2 ** 53), '9223372036854775807', '9223372036854775808', '9'.repeat(78), '9'.repeat(400)],
  ...['0x', '0xzz', `0x${'0'.repeat(40)}`, `0x${'f'.repeat(64)}`, `0x${'0'.repeat(2_000)}`, '1'.repeat(44)],
  ...['2026-02-30', '2026-13-01T00:00:00Z', '-271821-04-20T00:00:00Z', '0000-00-00'],
]

const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

const RAW = [
  ...['1e400', '-1e400', '-0', '1e-400', `1${'0'.repeat(400)}`, '9223372036854775808', '0.1e1', '5e-324'],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"a":1,"a":2}'],
  ...['"\\u0000"', '"\\ud800"', '{"\\u0000":1}', '{"":""}'],
].map((text) => new RawJson(text))
const DEEP = [nested('[', ']', 60), nested('[', ']', 65), nested('[', ']', 20_000), nested('{"a":', '}', 30)]

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324),
  },
  { weight: 2, arbitrary: fc.constantFrom(...RAW) },
  { weight: 1, arbitrary: fc.constantFrom(...DEEP) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>([], {}, [[]], [null], [{}], ['a', 'b'], { length: 1 }),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Bodies that are not JSON, or that no client library would send. */
export const hostileBody = fc.constantFrom<string | Uint8Array>(
  ...['{', '}', '{"a":', '[1,', "{'a':1}", '{a:1}', 'hello', '{} {}', '{"a":1,}', '\ufeff{}', '// {}\n{}', 'undefined'],
  ...['null', '[]', '""', '0', 'true', ' ', '\n', 'a=1&b=2', '<xml/>', '--x\r\n\r\n--x--', '"'.repeat(1_000)],
  new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
  new Uint8Array([0x1f, 0x8b, 0x08, 0x00]),
  new Uint8Array(4_096),
)

const CONTENT_TYPES = [
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json', 'application/json;;;'],
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ],
  ...['', '*/*', 'json', 'application/', 'text/json', 'application/jsonp', 'application/octet-stream'],
]

export const contentType = fc.oneof(
  { weight: 20, arbitrary: fc.constant('application/json') },
  { weight: 2, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
)

/** Text that is valid in a header field on the wire. */
const fieldText = fc.string({ unit: fc.constantFrom(...'aZ09 ,;=/"\'<>%\t\u00e9\u00ff'), maxLength: 40 })

/** Unexpected headers; usually none. */
export const headerNoise: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        'x-request-id': fc.oneof(fieldText, fc.constant('mine-1'), fc.constant('x'.repeat(200))),
        'idempotency-key': fc.constantFrom(
          'a',
          'b',
          'c',
          '',
          ' ',
          'x'.repeat(255),
          'x'.repeat(256),
          '\u00e9',
          '__proto__',
        ),
        'content-encoding': fc.constantFrom('identity', 'gzip', 'br', 'x'),
        accept: fc.constantFrom('*/*', 'text/html', 'application/xml', 'nothing'),
        origin: fc.constantFrom('http://localhost:1', 'null', 'https://elsewhere.example'),
        host: fc.constantFrom('elsewhere.example', 'localhost', '[::1]:80', 'a b', ''),
        range: fc.constantFrom('bytes=0-0', 'x'),
        cookie: fieldText,
        'x-forwarded-for': fieldText,
        'if-none-match': fc.constantFrom('*', '"a"'),
        'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
        'user-agent': fieldText,
      },
      { requiredKeys: [] },
    ),
  },
)

const BROKEN_ESCAPES = [
  '%',
  '%z',
  '%zz',
  '%00',
  '%ff',
  '%ed%a0%80',
  '%2e%2e%2f',
  '%252e',
  '..',
  '.',
  ';',
  '&',
  '=',
  '+',
  '[]',
]

/** Text for a path or query, escaped correctly or badly. */
export const hostileUrlText = fc.oneof(
  { weight: 4, arbitrary: hostileText.map(escaped) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN_ESCAPES) },
)

/** Like encodeURIComponent, but also accepts invalid Unicode. */
export function escaped(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}
