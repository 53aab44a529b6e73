import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'

/** Catches what a page throws, also when a part of it could not be loaded because the server has a newer version. */
export class PageFault extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <>
        <ErrorNote error={this.state.error} />
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </>
    )
  }
}
