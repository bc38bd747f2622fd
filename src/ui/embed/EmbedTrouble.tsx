/** Stands in place of a view that cannot be shown: what is wrong, and the way to the lab. */
export function EmbedTrouble({ why }: { why: string }) {
  return (
    <div className="notice serious" role="alert">
      <h1>Nothing can be shown here</h1>
      <p>{why}</p>
      <p>
        <a href={`${location.origin}${location.pathname}`} target="_blank" rel="noopener noreferrer">
          Open the lab
        </a>
      </p>
    </div>
  );
}
