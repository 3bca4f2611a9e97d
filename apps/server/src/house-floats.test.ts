import { expect, test } from 'vitest'
import { parseSource, type SourceFile, sourcesIn } from '../testing/source/source-tree.ts'

const ROOT = 'apps/dashboard/src/'

/** Where the dashboard makes or formats a number, and what it counts or measures instead of money. */
const NUMBERS: Readonly<Record<string, string>> = {
  "api/client.ts Number(headers?.get('retry-after') ?? Number.NaN)": 'seconds to wait',
  'api/client.ts Number(total)': 'how many rows a list has',
  'lib/transactions/base58.ts Number(value % BASE)': 'the index of a digit',
  'lib/text/kind-and-id.ts Number(id)': 'an id of at most fifteen digits',
  'lib/money/money.ts (value * 100).toFixed(2)': 'a yearly rate, which is measured',
  'lib/money/money.ts Number((part * 100n) / total)': 'whole hundredths, at most 100',
  'lib/requests/reload-after-upgrade.ts Number(sessionStorage.getItem(MARK) ?? 0)': 'a point in time',
  "lib/requests/sdk-call.ts Number(a.path.includes('{'))": 'a rank to sort by',
  "lib/requests/sdk-call.ts Number(b.path.includes('{'))": 'a rank to sort by',
  'lib/requests/sdk-call.ts Number(value)': 'whole digits of a filter, written back as they came',
  'lib/dates/time.ts Math.round((Date.parse(iso) - now) / 1_000)': 'seconds between two points in time',
  'lib/dates/time.ts Math.trunc(distance / length)': 'how many units of time',
  'lib/dates/time.ts Number(day)': 'a day of the month',
  'lib/dates/time.ts Number(month)': 'a month of the year',
  'lib/page/use-url.ts Number(value)': 'an id or the number of a page',
  'pages/breakers/breaker-settings.tsx Number(value)': 'seconds until a breaker closes',
  'lib/dates/day-axis.ts Math.ceil(first)': 'a day of the axis',
  'lib/dates/day-axis.ts Math.floor(next / 12)': 'a year of the axis',
  'lib/dates/day-axis.ts Math.round(step / DAYS_OF_A_MONTH)': 'months between two marks of the axis',
  'pages/allocations/deploy.tsx Number(strategy)': 'the id of a strategy',
  'pages/developers/limits.ts Number(days)': 'days until a key expires',
  'pages/developers/new-key.tsx Number(scope)': 'the id of a profile',
  'pages/developers/rotate.tsx Number(overlap)': 'seconds that two keys are valid',
  'pages/limits/limits-form.tsx ids.map(Number)': 'the ids of strategies',
  'pages/policy/condition-field.tsx ids.map(Number)': 'the ids of wallets',
  'pages/policy/dry-run.tsx Number(days)': 'how many days back',
  'pages/policy/dry-run.tsx Number(days) (2)': 'how many days back',
  'pages/policy/editor.tsx Number(value)': 'how many approvals',
  'pages/ramp/new-offramp-account.tsx Number(wallet)': 'the id of a wallet',
  'pages/ramp/new-onramp-account.tsx Number(fields.wallet)': 'the id of a wallet',
  'pages/ramp/simulator.tsx Number(plain(fields.amount))':
    'the one amount that the interface fixes as a number, of cents',
  'pages/sandbox/clock.tsx Math.round(Number(days) * DAY_SECONDS)': 'seconds to advance the clock by',
  'pages/sandbox/clock.tsx Number(days)': 'days to advance the clock by',
  'pages/sandbox/clock.tsx Number(days) (2)': 'days to advance the clock by',
  'pages/sandbox/faults.tsx Number(count)': 'how many calls fail',
  'pages/settings/change-policy.tsx Number(value)': 'how many approvals',
  'pages/settings/change-policy.tsx Number(value) (2)': 'seconds of a cooling-off period',
  'pages/settings/provider-panel.tsx Number(value)': 'the id of a member',
  'pages/wallets/add-wallet.tsx Number(chosen)': 'the id of a wallet',
  'pages/wallets/add-wallet.tsx Number(chosen) (2)': 'the id of a wallet',
  'parts/treasury/chart.tsx Number(value)': 'the height of a point in a drawing; its table writes the amount itself',
  "parts/tables/table-csv.tsx count.toLocaleString('en')": 'how many rows are read',
  "parts/tables/table-csv.tsx total.toLocaleString('en')": 'how many rows there are',
}

test('the dashboard makes, rounds and formats numbers only at places that hold no amount', () => {
  expect(sourcesIn(ROOT.slice(0, -1)).flatMap(numbersIn).toSorted()).toEqual(Object.keys(NUMBERS).toSorted())
})

test('each place explains its number', () => {
  for (const [place, reason] of Object.entries(NUMBERS)) expect(reason, place).toMatch(/\w+ \w+/)
})

test('the rule finds every way from a text to a number, roundings, formats and fields with decimals', () => {
  const found = (text: string) => numbersIn(parseSource(`${ROOT}a.tsx`, text))
  expect(found('Number(amount); Number(amount)')).toEqual(['a.tsx Number(amount)', 'a.tsx Number(amount) (2)'])
  expect(found('parseFloat(a) + parseInt(b, 10)')).toEqual(['a.tsx parseFloat(a)', 'a.tsx parseInt(b, 10)'])
  expect(found('window.Number(a) + Number.parseFloat(\n  b)')).toEqual([
    'a.tsx window.Number(a)',
    'a.tsx Number.parseFloat( b)',
  ])
  expect(found('<b title={+amount} />')).toEqual(['a.tsx +amount'])
  expect(found('amounts.map(Number)')).toEqual(['a.tsx amounts.map(Number)'])
  expect(found('Math.round(amount).toFixed(2)').toSorted()).toEqual([
    'a.tsx Math.round(amount)',
    'a.tsx Math.round(amount).toFixed(2)',
  ])
  expect(found("amount?.toLocaleString('en')")).toEqual(["a.tsx amount?.toLocaleString('en')"])
  expect(found("new Intl.NumberFormat('en')")).toEqual(["a.tsx new Intl.NumberFormat('en')"])
  expect(found('field.valueAsNumber')).toEqual(['a.tsx field.valueAsNumber'])
  expect(found('<NumberInput max={5} />')).toEqual(['a.tsx <NumberInput max={5} />'])
  expect(found('<NumberInput allowDecimal={false} max={5} />')).toEqual([])
  expect(found('[-1, +1, Number.NaN, Number.isFinite(a), Math.max(a, b), BigInt(c)]')).toEqual([])
  expect(found('let a: Number; a.Number; f({ Number: 1 })')).toEqual([])
  expect(numbersIn(parseSource(`${ROOT}a.test.ts`, 'Number(amount)'))).toEqual([])
})

const CONVERSIONS = new Set(['Number', 'parseFloat', 'parseInt'])
const ROUNDINGS = new Set(['round', 'floor', 'ceil', 'trunc', 'fround', 'f16round'])
const FORMATS = new Set(['toFixed', 'toPrecision', 'toExponential', 'toLocaleString'])

/** Types keep texts and `bigint` out of every other arithmetic. */
function numbersIn({ path, text, visit }: SourceFile): string[] {
  if (/\.test\.tsx?$/.test(path)) return []
  const found: string[] = []
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
    text.slice(start, end).replace(/\s+/g, ' ')
  const note = (node: Parameters<typeof textOf>[0]) => {
    const place = `${path.slice(ROOT.length)} ${textOf(node)}`
    const before = found.filter((each) => each === place || each.startsWith(`${place} (`)).length
    found.push(before === 0 ? place : `${place} (${before + 1})`)
  }
  visit({
    CallExpression(call) {
      const [, object, name = ''] = /^(?:(.+?)\??\.)?(\w+)$/s.exec(textOf(call.callee)) ?? []
      const isHandedOn = call.arguments.some((each) => each.type === 'Identifier' && CONVERSIONS.has(each.name))
      const isRounding = object === 'Math' && ROUNDINGS.has(name)
      if (CONVERSIONS.has(name) || FORMATS.has(name) || isRounding || isHandedOn) note(call)
    },
    UnaryExpression(sign) {
      if (sign.operator === '+' && sign.argument.type !== 'Literal') note(sign)
    },
    NewExpression(made) {
      if (/\b(?:NumberFormat|Number)$/.test(textOf(made.callee))) note(made)
    },
    MemberExpression(member) {
      if (textOf(member.property) === 'valueAsNumber') note(member)
    },
    JSXOpeningElement(element) {
      if (textOf(element.name) === 'NumberInput' && !textOf(element).includes(' allowDecimal={false}')) note(element)
    },
  })
  return found
}
