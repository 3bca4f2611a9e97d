/** What the tests of rules and dashboards read in a query. */

const NAME = /\b(?:weir|nodejs|process)_\w+/g

/** The names of series, each once. */
export const metricNamesIn = (query: string): string[] => [...new Set(query.match(NAME))]

interface Labelled {
  readonly name: string
  readonly labels: readonly string[]
}

/** Labels of selectors and groupings that no metric of the query has. Prometheus renames `job` to `exported_job`. */
export function unknownLabelsIn(query: string, metrics: readonly Labelled[]): string[] {
  const base = (series: string) => series.replace(/_(bucket|sum|count)$/, '')
  const names = metricNamesIn(query)
  const own = metrics.filter(({ name }) => names.some((series) => series === name || base(series) === name))
  const known = new Set([
    'le',
    'instance',
    ...own.flatMap(({ labels }) => labels.map((label) => (label === 'job' ? 'exported_job' : label))),
  ])
  const selected = [...query.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
  const grouped = [...query.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  )
  return [...selected, ...grouped].filter((label) => !known.has(label))
}
