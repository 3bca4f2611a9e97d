/** The panels of the Grafana dashboard. */

interface Query {
  readonly expr: string
  /** The name of each line; labels in double braces. */
  readonly legend?: string
}

interface PanelText {
  readonly title: string
  /** Why somebody looks at it. */
  readonly description: string
  /** A unit of Grafana; default: a number. */
  readonly unit?: string
}

export interface Panel extends PanelText {
  readonly kind: 'now' | 'over time'
  readonly queries: readonly Query[]
  /** The value from which the panel is red. */
  readonly redFrom?: number
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export const now = (text: PanelText & { readonly redFrom?: number }, expr: string, legend = ''): Panel => ({
  ...text,
  kind: 'now',
  queries: [{ expr, legend }],
})
export const overTime = (text: PanelText, ...queries: readonly Query[]): Panel => ({
  ...text,
  kind: 'over time',
  queries,
})
