/** Of a card of the sandbox page. */
export interface ToolProps {
  readonly disabled: boolean
}
