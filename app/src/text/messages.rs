//! The words: name, English, Spanish. `{}` is a gap for a value.

macro_rules! messages {
    ($($name:ident: $english:literal, $spanish:literal;)*) => {
        /// The words of one language.
        #[allow(missing_docs, reason = "the words say it")]
        pub struct Text { $(pub $name: &'static str,)* }
        /// English.
        pub static EN: Text = Text { $($name: $english,)* };
        /// Spanish.
        pub static ES: Text = Text { $($name: $spanish,)* };
        impl Text {
            /// Every message with its name.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }
    };
}

messages! {
    // Commands
    play_or_pause: "Play or pause", "Reproducir o pausar";
    play: "Play", "Reproducir";
    pause: "Pause", "Pausar";
    step_event: "Next event", "Siguiente evento";
    step_cycle: "Next cycle", "Siguiente ciclo";
    step_many: "Many cycles on", "Muchos ciclos adelante";
    back_cycle: "One cycle back", "Un ciclo atrás";
    back_many: "Many cycles back", "Muchos ciclos atrás";
    reset: "Back to cycle 0", "Volver al ciclo 0";
    slower: "Slower", "Más lento";
    faster: "Faster", "Más rápido";
    new_document: "New, empty stage", "Nuevo, escenario vacío";
    gallery: "Gallery", "Galería";
    open: "Open a file", "Abrir un archivo";
    export: "Export the network or a picture", "Exportar la red o una imagen";
    export_network: "The network", "La red";
    export_picture: "A picture", "Una imagen";
    export_json: "everything: network, routing, traffic and fabric", "todo: red, encaminamiento, tráfico y técnica";
    export_svg: "the network, to be scaled and edited", "la red, para ampliarla y editarla";
    export_png: "the stage as you see it", "el escenario tal como se ve";
    import: "Open a network", "Abrir una red";
    import_counts: "Switches: {} · hosts: {} · links: {}", "Conmutadores: {} · hosts: {} · enlaces: {}";
    import_hosts: "The file has no hosts. Hosts on every switch", "El archivo no tiene hosts. Hosts en cada conmutador";
    import_notes: "Good to know", "Conviene saber";
    import_more_notes: "and {} more", "y {} más";
    import_open: "Open it", "Abrirla";
    renewed: "A new version of Hopscope is ready.", "Hay una versión nueva de Hopscope.";
    reload: "Reload", "Recargar";
    cancel: "Cancel", "Cancelar";
    save: "Save as a file", "Guardar en un archivo";
    copy_link: "Copy link", "Copiar enlace";
    undo: "Undo", "Deshacer";
    redo: "Redo", "Rehacer";
    select_all: "Select everything", "Seleccionar todo";
    select_none: "Select nothing", "No seleccionar nada";
    remove: "Delete what is selected", "Borrar lo seleccionado";
    copy: "Copy what is selected", "Copiar lo seleccionado";
    cut: "Cut what is selected", "Cortar lo seleccionado";
    paste: "Paste what was copied", "Pegar lo copiado";
    copied: "{} copied", "{}: copia hecha";
    nothing_to_copy: "Select switches to copy first", "Selecciona antes los conmutadores que copiar";
    nothing_to_align: "Select two switches or more first", "Selecciona antes dos conmutadores o más";
    align_row: "Align in a row", "Alinear en fila";
    align_column: "Align in a column", "Alinear en columna";
    snap: "Snap to a grid", "Ajustar a una cuadrícula";
    n_switches: "{} switch|{} switches", "{} conmutador|{} conmutadores";
    n_hosts: "{} host|{} hosts", "{} host|{} hosts";
    n_links: "{} link|{} links", "{} enlace|{} enlaces";
    duplicate: "Duplicate what is selected", "Duplicar lo seleccionado";
    add_four_hosts: "Add 4 hosts to each selected switch, or to all", "Añadir 4 hosts a cada conmutador seleccionado, o a todos";
    tool_select: "Select and move", "Seleccionar y mover";
    tool_switch: "Place switches", "Poner conmutadores";
    tool_host: "Add hosts", "Añadir hosts";
    tool_link: "Draw links", "Trazar enlaces";
    layout_stress: "Arrange by distance", "Disponer por distancia";
    layout_layered: "Arrange in layers from the root", "Disponer en capas desde la raíz";
    layout_circle: "Arrange in a circle", "Disponer en círculo";
    layout_grid: "Arrange in a grid", "Disponer en cuadrícula";
    zoom_in: "Zoom in", "Acercar";
    zoom_out: "Zoom out", "Alejar";
    fit: "Show everything", "Mostrar todo";
    overlay: "Overlay", "Capa";
    group_overlay: "Overlays", "Capas";
    overlay_none: "No overlay", "Sin capa";
    overlay_busy: "Utilisation", "Utilización";
    overlay_blocked: "Blocked time", "Tiempo bloqueado";
    overlay_buffers: "Buffer occupancy", "Ocupación de los buffers";
    overlay_itbs: "ITB use", "Uso de los ITB";
    overlay_tree: "Spanning tree", "Árbol de expansión";
    overlay_turns: "Forbidden turns", "Giros prohibidos";
    overlay_pair: "Routes of a pair", "Rutas de una pareja";
    overlay_weights: "Channel weights", "Pesos de los canales";
    overlay_dependencies: "Channel dependencies", "Dependencias entre canales";
    overlay_waits: "Who waits for whom", "Quién espera a quién";
    overlay_failure: "What a failure changes", "Qué cambia un fallo";
    show_none: "Lay nothing over the network", "No poner ninguna capa sobre la red";
    show_busy: "Colour channels by utilisation", "Colorear canales por utilización";
    show_buffers: "Colour buffers by how full they are", "Colorear los buffers por lo llenos que están";
    show_itbs: "Show which hosts serve as ITBs", "Mostrar qué hosts sirven de ITB";
    show_waits: "Show who waits for whom", "Mostrar quién espera a quién";
    show_blocked: "Colour channels by blocked time", "Colorear canales por tiempo bloqueado";
    show_tree: "Show the spanning tree and which way is up", "Mostrar el árbol de expansión y hacia dónde es arriba";
    show_turns: "Show forbidden turns", "Mostrar los giros prohibidos";
    show_pair: "Show the routes of a pair", "Mostrar las rutas de una pareja";
    show_weights: "Show routes over each channel", "Mostrar las rutas que cruzan cada canal";
    show_dependencies: "Show the channel dependency graph", "Mostrar el grafo de dependencias entre canales";
    show_failure: "Show what the failure changes", "Mostrar qué cambia el fallo";
    tool_root: "Choose the root on the stage", "Elegir la raíz en el escenario";
    tool_pair: "Choose a pair on the stage", "Elegir una pareja en el escenario";
    what_if: "What if it fails?", "¿Y si falla?";
    theme_next: "Next theme: light, dark, projector", "Tema siguiente: claro, oscuro, proyector";
    language_next: "Español", "English";
    palette: "Command palette", "Paleta de órdenes";
    shortcuts: "Keyboard shortcuts", "Atajos de teclado";
    group_time: "Time", "Tiempo";
    group_document: "Document", "Documento";
    group_edit: "Edit", "Editar";
    group_layout: "Layout", "Disposición";
    group_view: "View", "Vista";
    group_help: "Help", "Ayuda";

    // Steps of the history
    did_add_switch: "adding a switch", "añadir un conmutador";
    did_add_hosts: "adding hosts", "añadir hosts";
    did_add_link: "adding a link", "añadir un enlace";
    did_move: "moving", "mover";
    did_remove: "deleting", "borrar";
    did_duplicate: "duplicating", "duplicar";
    did_paste: "pasting", "pegar";
    did_align: "aligning", "alinear";
    did_arrange: "arranging", "disponer";
    did_ports: "changing ports", "cambiar puertos";
    did_name: "naming", "poner nombre";
    did_generate: "generating a network", "generar una red";
    did_routing: "changing the routing", "cambiar el encaminamiento";
    did_root: "moving the root", "mover la raíz";
    did_load: "changing the load", "cambiar la carga";
    did_traffic: "changing the traffic", "cambiar el tráfico";
    did_fabric: "changing the switches", "cambiar los conmutadores";
    did_rename: "renaming", "cambiar el nombre";
    did_open: "opening another scenario", "abrir otro escenario";
    undone: "Undone: {}", "Deshecho: {}";
    redone: "Redone: {}", "Rehecho: {}";
    nothing_to_undo: "There is nothing to undo", "No hay nada que deshacer";
    nothing_to_redo: "There is nothing to redo", "No hay nada que rehacer";

    // The frame of the page
    name_of_scenario: "Name of the scenario", "Nombre del escenario";
    unnamed: "Unnamed", "Sin nombre";
    menu: "Menu", "Menú";
    close: "Close", "Cerrar";
    stage: "Stage: the network. Arrow keys go to switches and hosts, with Shift to switches only, with Control they move what is selected; Enter looks inside. Panel Network has a list of everything.", "Escenario: la red. Las flechas van a conmutadores y hosts, con Mayúsculas solo a conmutadores, con Control mueven lo seleccionado; Intro mira dentro. El panel Red tiene una lista de todo.";
    tools: "Tools", "Herramientas";
    view_controls: "View", "Vista";
    time_controls: "Time", "Tiempo";
    panels: "Panels", "Paneles";
    document_controls: "Document", "Documento";
    starting: "The simulator is starting", "El simulador está arrancando";
    restarted: "The simulator stopped and was started again: {}", "El simulador se detuvo y se ha vuelto a arrancar: {}";
    broken: "The simulator broke its own rules, so do not trust this run; please report the scenario: {}", "El simulador ha incumplido sus propias reglas, no se fíe de esta simulación; comunique el escenario: {}";
    lost: "The simulator stops on this scenario: {}", "El simulador se detiene con este escenario: {}";
    another_build: "Simulator and page are of different versions: reload the page", "El simulador y la página son de versiones distintas: recarga la página";
    link_copied: "The link is in the clipboard; it holds the whole document", "El enlace está en el portapapeles; contiene el documento entero";
    link_too_long: "This network is too large for a link. It is kept in this browser; to pass it on, save it as a file.", "Esta red es demasiado grande para un enlace. Queda guardada en este navegador; para compartirla, guárdala en un archivo.";
    kept_documents: "Kept in this browser", "Guardado en este navegador";
    not_copied: "The clipboard is closed to this page; the link is in the address bar", "El portapapeles está cerrado a esta página; el enlace está en la barra de direcciones";
    bad_link: "The link is damaged; nothing was opened: {}", "El enlace está dañado; no se ha abierto nada: {}";
    opened: "Opened: {}", "Abierto: {}";
    saved: "Saved as {}", "Guardado como {}";
    came_back: "Your last network is back.", "Tu última red está de vuelta.";
    start_over: "Start from the welcome", "Empezar por la bienvenida";
    grew_ports: "Switch {} has {} ports now", "El conmutador {} tiene ahora {} puertos";

    // First look
    welcome_title: "Watch where it blocks", "Mira dónde se bloquea";
    welcome_text: "16 switches, 64 hosts. Each coloured worm is a message held by the channels it crosses. A red bar is a message that waits, and everything behind it waits too. With up*/down* routing most of it piles up around the root, the ringed switch.", "16 conmutadores, 64 hosts. Cada gusano de color es un mensaje retenido en los canales que cruza. Una barra roja es un mensaje que espera, y todo lo que va detrás espera también. Con el encaminamiento up*/down* casi todo se amontona en torno a la raíz, el conmutador con anillo.";
    welcome_action: "See what ITBs change", "Ver qué cambian los ITB";
    itb_title: "Out of the network, and in again", "Fuera de la red, y otra vez dentro";
    itb_text: "Same network, same load, now with in-transit buffers: where up*/down* forbids a turn, a host takes the message out of the network and sends it on (the diamonds). All routes are minimal, and the root is just one more switch. Dashed: the run before.", "La misma red y la misma carga, ahora con buffers en tránsito: donde up*/down* prohíbe un giro, un host saca el mensaje de la red y lo reenvía (los rombos). Todas las rutas son mínimas y la raíz es un conmutador más. A trazos: la simulación anterior.";
    itb_action: "Now without any rule", "Ahora sin ninguna regla";
    minimal_title: "No rule at all", "Sin ninguna regla";
    minimal_text: "Minimal routes and no ITBs: nothing forbids a cycle of messages that wait for each other. Sooner or later one closes; the run stops there and names it.", "Rutas mínimas y sin ITB: nada impide un ciclo de mensajes que se esperan unos a otros. Tarde o temprano se cierra uno; la simulación se detiene ahí y lo nombra.";
    minimal_action: "Back to the beginning", "Volver al principio";

    // Transport
    cycle: "Cycle", "Ciclo";
    speed: "Speed", "Velocidad";
    cycles_per_second: "{} cycles/s", "{} ciclos/s";
    as_fast_as_possible: "as fast as possible", "lo más rápido posible";
    position: "Position in the run", "Posición en la simulación";
    running_at: "running at {}", "va a {}";

    // Lessons
    lessons: "Lessons", "Lecciones";
    lessons_hint: "Predict, run, explain: a few minutes each.", "Predecir, ejecutar, explicar: unos minutos cada una.";
    lesson: "Lesson", "Lección";
    lesson_of: "Lesson {} of {}", "Lección {} de {}";
    lesson_steps: "Steps of the lesson", "Pasos de la lección";
    predict: "Predict", "Predecir";
    run_it: "Run", "Ejecutar";
    explain: "Explain", "Explicar";
    what_do_you_expect: "What do you expect?", "¿Qué esperas?";
    see_what_happens: "See what happens", "Ver qué pasa";
    run_of: "Run {} of {}: {}", "Simulación {} de {}: {}";
    watch_then_measure: "Watch for as long as you like; then have it measured at full speed.", "Mira cuanto quieras; después, mídelo a toda velocidad.";
    measure_it: "Measure it", "Medirlo";
    now_run: "Now: {}", "Ahora: {}";
    now_explain: "Compare and explain", "Comparar y explicar";
    strayed: "The network on the stage is not the lesson's any more.", "La red del escenario ya no es la de la lección.";
    put_back: "Put it back", "Reponerla";
    predicted_right: "As you expected", "Como esperabas";
    predicted_wrong: "Not what you expected", "No es lo que esperabas";
    you_said: "You said: “{}”.", "Dijiste: «{}».";
    it_was: "What happened: “{}”.", "Lo que pasó: «{}».";
    measured: "Measured in these runs", "Medido en estas simulaciones";
    next_lesson: "Next lesson", "Siguiente lección";
    play_with_it: "Go on with this network", "Seguir con esta red";
    leave_lesson: "Leave the lesson", "Salir de la lección";

    // What stops it, and events
    tab_time: "Time", "Tiempo";
    stop_when: "Stop when", "Parar cuando";
    stops_at_deadlock: "A deadlock always stops it.", "Un interbloqueo la detiene siempre.";
    stop_blocked: "a message is blocked for", "un mensaje lleva bloqueado";
    stop_itb: "a host's ITB memory holds more than", "la memoria ITB de un host pasa de";
    stop_delivered: "this message is delivered", "se entrega este mensaje";
    stopped_here: "Stopped. ", "Parada. ";
    waited: "It has been waiting for {} cycles.", "Lleva {} ciclos esperando.";
    stretch: "Repeat a stretch", "Repetir un tramo";
    stretch_hint: "Between A and B the run starts again at A.", "Entre A y B, la simulación vuelve a empezar en A.";
    mark_a: "A is here", "A está aquí";
    mark_b: "B is here", "B está aquí";
    forget_mark: "Forget this end", "Olvidar este extremo";
    long_step: "Long steps", "Pasos largos";
    events: "Events", "Sucesos";
    event_kinds: "Kinds of events", "Clases de sucesos";
    no_events: "None of these yet.", "Todavía ninguno de estos.";
    next_of: "Next of these events", "Siguiente de estos sucesos";
    pinned_only: "Only the pinned message", "Solo el mensaje fijado";
    event_injected: "Injected", "Inyectado";
    event_blocked: "Blocked", "Bloqueado";
    event_itb_in: "Into an ITB", "Entra en ITB";
    event_itb_out: "Out of an ITB", "Sale de ITB";
    event_delivered: "Delivered", "Entregado";
    event_dropped: "Dropped", "Descartado";
    event_deadlock: "Deadlock", "Interbloqueo";
    happened_injected: "leaves host {}.", "sale del host {}.";
    happened_blocked: "blocked in switch {}: it needs {}, which message {} holds.", "bloqueado en el conmutador {}: necesita {}, que retiene el mensaje {}.";
    happened_itb_in: "enters host {} in transit; {} bytes of ITB memory in use there.", "entra en tránsito en el host {}; {} bytes de memoria ITB en uso allí.";
    happened_itb_out: "sent on by host {}.", "reenviado por el host {}.";
    happened_delivered: "has arrived at host {}.", "ha llegado al host {}.";
    happened_dropped: "dropped: blocked for too long.", "descartado: bloqueado demasiado tiempo.";
    happened_discarded: "thrown away by host {}, whose ITB memory is full; it is sent again.", "desechado por el host {}, con la memoria ITB llena; se envía otra vez.";
    happened_deadlock: "is part of a deadlock.", "es parte de un interbloqueo.";

    // Watch
    tab_watch: "Watch", "Mirar";
    tab_routing: "Routing", "Rutas";
    tab_traffic: "Traffic", "Tráfico";
    tab_network: "Network", "Red";
    tab_fabric: "Fabric", "Técnica";
    accepted: "Accepted traffic", "Tráfico aceptado";
    latency: "Network latency", "Latencia de red";
    offered: "offered {}", "ofrecido {}";
    flits_per_ns: "flits/ns/switch", "flits/ns/conm.";
    previous_run: "dashed: the run before ({})", "a trazos: la simulación anterior ({})";
    generated: "Generated", "Generados";
    delivered: "Delivered", "Entregados";
    in_network: "In the network", "En la red";
    waiting_at_hosts: "Waiting at hosts", "Esperando en hosts";
    dropped: "Dropped", "Descartados";
    through_itbs: "In-transit stops", "Paradas en tránsito";
    messages: "Messages", "Mensajes";
    curve_of: "Curve of {} over time, now {}", "Curva de {} en el tiempo, ahora {}";

    // Inspector
    inspector: "Inspector", "Inspector";
    inspect_hint: "Click a worm to be told why it is where it is; click a switch, a host or a channel to see its state.", "Pulsa un gusano para saber por qué está donde está; pulsa un conmutador, un host o un canal para ver su estado.";
    message_title: "Message {}", "Mensaje {}";
    message_way: "From host {} to host {}, {} bytes. Generated in cycle {}.", "Del host {} al host {}, {} bytes. Generado en el ciclo {}.";
    message_gone: "Message {} has arrived, or is not there yet.", "El mensaje {} ha llegado, o todavía no existe.";
    status_queued: "It waits at its host with {} before it.", "Espera en su host con {} delante.";
    status_moving: "It is moving.", "Se está moviendo.";
    status_routing: "Its header is being routed in switch {}.", "El conmutador {} está encaminando su cabecera.";
    status_waiting: "It is blocked in switch {}: it needs {}, which message {} holds.", "Está bloqueado en el conmutador {}: necesita {}, que retiene el mensaje {}.";
    status_behind: "Its header is in the buffer of {}, behind message {}.", "Su cabecera está en el buffer de {}, detrás del mensaje {}.";
    status_no_credit: "It waits to be sent over {}: lane {} of the buffer at its end has no room.", "Espera a ser enviado por {}: el carril {} del buffer de su extremo no tiene sitio.";
    status_no_room: "It waits inside a switch on its way to {}: lane {} of the next buffer has no room.", "Espera dentro de un conmutador camino de {}: el carril {} del buffer siguiente no tiene sitio.";
    status_leaves_next: " Message {} is to leave it next.", " El mensaje {} será el siguiente en salir de él.";
    status_stopped: "It may not enter {}: the buffer at its end is full and has sent STOP.", "No puede entrar en {}: el buffer de su extremo está lleno y ha enviado STOP.";
    status_in_transit: "It is in transit in host {}: out of the network, waiting to be sent on.", "Está en tránsito en el host {}: fuera de la red, esperando a ser reenviado.";
    and_message: "Message {}: ", "Mensaje {}: ";
    waits_for_itself: "… and that closes the circle: each waits for the next. This is a deadlock.", "… y ahí se cierra el círculo: cada uno espera al siguiente. Es un interbloqueo.";
    progress: "{} of {} channels of its way entered.", "Ha entrado en {} de los {} canales de su camino.";
    channel_between: "the channel {} → {}", "el canal {} → {}";
    injection_of: "the channel from host {} into switch {}", "el canal del host {} al conmutador {}";
    ejection_of: "the channel from switch {} to host {}", "el canal del conmutador {} al host {}";
    switch_title: "Switch {}", "Conmutador {}";
    switch_ports: "{} of {} ports in use, {}", "{} de {} puertos en uso, {}";
    ports: "Ports", "Puertos";
    root_here: "Make it the root", "Hacerlo raíz";
    is_root: "Root of the spanning tree", "Raíz del árbol";
    host_title: "Host {}", "Host {}";
    stop_there: "Stop when it arrives", "Parar cuando llegue";
    nothing_yet: "An empty stage", "Un escenario vacío";
    nothing_yet_how: "Place switches (S), add hosts to them (H) and draw links between them (L), or begin with a generator or the gallery. A network file can be dropped here.", "Pon conmutadores (S), añádeles hosts (H) y traza enlaces entre ellos (L), o empieza por un generador o la galería. También puedes soltar aquí un archivo de red.";
    peek_switch: "double click: look inside", "doble clic: mirar dentro";
    change_it: "Change it", "Cambiarlo";
    add_switch: "Add a switch", "Añadir un conmutador";
    add_host: "Add a host", "Añadir un host";
    four_hosts: "Add 4 hosts", "Añadir 4 hosts";
    four_hosts_each: "Add 4 hosts to each", "Añadir 4 hosts a cada uno";
    duplicate_it: "Duplicate it", "Duplicarlo";
    remove_it: "Delete it", "Borrarlo";
    link_to: "Link it to switch", "Enlazarlo con el conmutador";
    cables: "Cables side by side", "Cables en paralelo";
    port_of: "Port of switch {}", "Puerto del conmutador {}";
    free_port: "free", "libre";
    other_direction: "The other direction", "El otro sentido";
    find: "Search", "Buscar";
    list_hint: "Everything on the stage. What you choose is shown and can be changed here.", "Todo lo que hay en el escenario. Lo que elijas se muestra y se puede cambiar aquí.";
    host_state: "{} messages wait to be sent, {} are in transit here, {} bytes of ITB memory in use. {} sent on so far.", "{} mensajes esperan para salir, {} están aquí en tránsito, {} bytes de memoria ITB en uso. {} reenviados hasta ahora.";
    channel_state: "{} in its buffer, busy {} of the time, blocked {}.", "{} en su buffer, ocupado el {} del tiempo, bloqueado el {}.";
    channel_stopped: "Its sender is under STOP.", "Su emisor está en STOP.";
    name: "Name", "Nombre";
    unpin: "Let go", "Soltar";
    as_a_list: "The network as a list", "La red como lista";
    list_switch: "Switch {}: linked with {}; {}", "Conmutador {}: enlazado con {}; {}";

    nic_name: "The NIC: its two queues and the channel they share", "La NIC: sus dos colas y el canal que comparten";
    nic_local: "Local queue", "Cola local";
    nic_transit: "In-transit queue", "Cola en tránsito";
    nic_memory: "ITB memory", "Memoria ITB";
    nic_of: "{} of {} bytes", "{} de {} bytes";
    nic_detecting: "{} being detected", "{} en detección";
    nic_sends: "sends {}", "envía {}";
    nic_idle: "idle", "libre";
    nic_stopped: "STOP", "STOP";
    nic_applications: "Application queue of level", "Cola de aplicación del nivel";
    nic_output: "Lanes before the channel", "Carriles ante el canal";
    nic_transit_lanes: "Packets in transit go first: {} are ready to be sent on, {} wait for ITB memory.", "Los paquetes en tránsito van primero: {} listos para ser reenviados, {} esperan memoria ITB.";
    nic_rule: "In-transit messages go first: up to {} in a row before a local one, since {} wait in the local queue.", "Los mensajes en tránsito van primero: hasta {} seguidos antes de uno local, porque {} esperan en la cola local.";

    // Proof and deadlock
    deadlock_free: "No deadlock can arise", "No puede haber interbloqueo";
    deadlock_free_lanes: "The routes close cycles, but packets change lanes on them: the graph of lanes has no cycle.", "Las rutas cierran ciclos, pero los paquetes cambian de carril en ellos: el grafo de carriles no tiene ciclos.";
    deadlock_free_why: "The channel dependency graph of these routes has no cycle.", "El grafo de dependencias entre canales de estas rutas no tiene ciclos.";
    may_deadlock: "A deadlock can arise", "Puede haber interbloqueo";
    may_deadlock_why: "These channels may wait for each other in a circle: {}", "Estos canales pueden esperarse en círculo: {}";
    show_cycle: "Show it", "Mostrarlo";
    hide_cycle: "Hide it", "Ocultarlo";
    deadlocked: "Deadlock in cycle {}: {} messages wait for each other in a circle.", "Interbloqueo en el ciclo {}: {} mensajes se esperan unos a otros en círculo.";
    deadlock_chain: "message {} holds {} and waits for the next", "el mensaje {} retiene {} y espera al siguiente";
    deadlock_detail: "Who waits for whom", "Quién espera a quién";
    break_it: "Add ITBs", "Añadir ITB";

    // Routing
    preset: "Routing", "Rutas";
    root: "Root", "Raíz";
    root_auto: "Automatic", "Automática";
    root_switch: "This switch:", "Este conmutador:";
    root_central: "Most central", "El más central";
    root_peripheral: "Most remote", "El más alejado";
    root_max_degree: "Most links", "El de más enlaces";
    root_random: "Random", "Al azar";
    root_number: "Its number", "Su número";
    click_root: "Click a switch on the stage", "Pulsa un conmutador en el escenario";
    root_moved: "Switch {} is the root now", "El conmutador {} es ahora la raíz";
    root_unused: "Switch {} is noted as the root, but this routing uses no spanning tree", "El conmutador {} queda anotado como raíz, pero este encaminamiento no usa árbol";
    custom: "Custom", "Propio";
    custom_from: "No preset stands for these choices; they started from {}.", "Ningún encaminamiento con nombre reúne estas opciones; partían de {}.";
    axes: "The choices one by one", "Las opciones una a una";
    axes_own: "It makes routes of its own. Choose another routing to combine its choices freely.", "Construye sus propias rutas. Elige otro encaminamiento para combinar sus opciones libremente.";
    axis_paths: "Candidates", "Candidatas";
    axis_placement: "ITBs", "ITB";
    axis_choice: "Choice", "Elección";
    axis_selection: "Per message", "Por mensaje";
    axis_orientation: "Tree", "Árbol";
    axis_itb_host: "ITB host", "Host del ITB";
    max_candidates: "Most candidates per pair", "Máximo de candidatas por pareja";
    too_many: "If there are more", "Si hay más";
    routing_seed: "Seed of the routes", "Semilla de las rutas";

    // Report on the routes
    report: "What the routes are like", "Cómo son las rutas";
    pairs: "Pairs of switches", "Parejas de conmutadores";
    routes: "Routes", "Rutas";
    minimal_routes: "Minimal routes", "Rutas mínimas";
    mean_distance: "Mean length", "Longitud media";
    shortest_distance: "if all were minimal", "si todas fueran mínimas";
    mean_and_max: "{}, max {}", "{}, máx. {}";
    itbs_per_route: "ITBs per route", "ITB por ruta";
    itbs_greedy: "with greedy placement", "con colocación voraz";
    itbs_fewest: "with fewest placement", "con colocación mínima";
    share_by_itbs: "Share of routes by number of ITBs", "Parte de las rutas según su número de ITB";
    channel_weight: "Routes per channel", "Rutas por canal";
    weight_spread: "their standard deviation", "su desviación típica";
    forbidden_share: "Forbidden turns", "Giros prohibidos";
    reproduced_by: "The same seed, {}, gives the same routes.", "La misma semilla, {}, da las mismas rutas.";

    note_no_tree: "This routing uses no spanning tree: root and orientation play no part.", "Este encaminamiento no usa árbol: la raíz y la orientación no cuentan.";
    note_root_cut_off: "The root {} is cut off from the hosts; {} takes its place.", "La raíz {} no tiene conexión con los hosts; la sustituye {}.";
    note_escaped: "{} of {} destinations are reached over the escape tree: no other tree of routes to them was free of cycles.", "A {} de {} destinos se llega por el árbol de escape: ningún otro árbol de rutas hacia ellos estaba libre de ciclos.";
    note_torus: "It sees a torus of {}.", "Ve un toro de {}.";
    note_mesh: "It sees a mesh of {}.", "Ve una malla de {}.";
    note_longer: "{} of the routes are longer than minimal, since switches without hosts cannot hold ITBs.", "El {} de las rutas son más largas que las mínimas, pues los conmutadores sin hosts no pueden alojar ITB.";
    note_cut_off: "{} switches without hosts are cut off and have no routes.", "{} conmutadores sin hosts están aislados y no tienen rutas.";
    note_given: "The routes were given, not computed.", "Las rutas se dieron, no se calcularon.";

    // Routes being computed
    computing_routes: "Computing routes: {}", "Calculando rutas: {}";
    computing_routes_name: "Computing routes", "Calculando rutas";
    stage_candidates: "listing candidates", "listando candidatas";
    stage_choice: "choosing among them", "eligiendo entre ellas";
    stage_cycles: "breaking cycles", "rompiendo ciclos";
    routing_cancelled: "There are no routes", "No hay rutas";
    routing_cancelled_why: "Computing them was cancelled. Choose another routing, or let it run.", "Se canceló su cálculo. Elige otro encaminamiento o deja que termine.";
    compute_again: "Compute them", "Calcularlas";

    // Routes of a pair
    routes_of_pair: "Routes of a pair", "Rutas de una pareja";
    pair_from: "From switch", "Del conmutador";
    pair_to: "To switch", "Al conmutador";
    click_begin: "Click where the routes begin", "Pulsa donde empiezan las rutas";
    click_end: "Click where the routes end", "Pulsa donde terminan las rutas";
    pair_summary: "In use: {}. Shortest routes there are: {}.", "En uso: {}. Rutas más cortas que hay: {}.";
    route_used: "used", "en uso";
    route_second_set: "used, second set", "en uso, segundo conjunto";
    route_not_chosen: "not chosen", "no elegida";
    route_weights: "weight {} max, {} mean", "peso máx. {}, medio {}";
    routes_from: "Routes from here", "Rutas desde aquí";
    routes_to: "Routes to here", "Rutas hasta aquí";

    // Failures
    nothing_to_fail: "Select a link or a switch first", "Selecciona antes un enlace o un conmutador";
    if_it_fails: "If it fails: {}", "Si falla: {}";
    link_title: "Link {} – {}", "Enlace {} – {}";
    pairs_moved: "Pairs that go another way", "Parejas que cambian de ruta";
    pairs_longer: "Pairs with longer routes", "Parejas con rutas más largas";
    pairs_gone: "Pairs without routes", "Parejas sin ruta";
    longest: "Longest route", "Ruta más larga";
    heaviest_channel: "Most used channel", "Canal más usado";
    can_deadlock: "A deadlock can arise", "Puede haber interbloqueo";
    yes: "yes", "sí";
    no: "no", "no";
    before: "Before", "Antes";
    after: "After", "Después";
    pairs_list: "Pair by pair", "Pareja por pareja";
    and_more: "and {} more", "y {} más";
    same_length: "{} links, as before", "{} enlaces, como antes";
    other_length: "{} → {} links", "{} → {} enlaces";
    restore: "Restore it", "Restaurarlo";
    keep_removed: "Keep it removed", "Dejarlo así";

    // Traffic
    load: "Offered load", "Carga ofrecida";
    load_unit_host: "flits per cycle and host", "flits por ciclo y host";
    load_unit: "flits per ns and switch", "flits por ns y conmutador";
    pattern: "Destinations", "Destinos";
    size: "Message size", "Tamaño de mensaje";
    arrival: "Generation", "Generación";
    seed: "Seed of the run", "Semilla de la simulación";
    flow: "Flow {}", "Flujo {}";
    bytes: "bytes", "bytes";

    // Network and fabric
    generator: "Generator", "Generador";
    drawn_by_hand: "Drawn by hand: {}, {}, {}.", "Dibujada a mano: {}, {}, {}.";
    generated_network: "Generated: {}, {}, {}. Change anything on the stage and it becomes yours.", "Generada: {}, {}, {}. Cambia algo en el escenario y será tuya.";
    another_seed: "Another wiring", "Otro cableado";
    wormhole: "Wormhole, Stop & Go", "Wormhole, Stop & Go";
    switching: "Switching technique", "Técnica de conmutación";
    service_levels: "Service levels", "Niveles de servicio";
    service_level: "Service level", "Nivel de servicio";
    level: "Level", "Nivel";
    level_number: "Level {}", "Nivel {}";
    channel_rule: "Of a level's service channels", "De los canales de servicio de un nivel";
    rule_spread: "packets take them in turn", "los paquetes los toman por turnos";
    rule_avoid_cycles: "packets change to avoid cycles", "los paquetes cambian para evitar ciclos";
    add_level: "Add a level", "Añadir un nivel";
    remove_level: "Remove the last", "Quitar el último";
    mtu: "Largest packet (MTU)", "Paquete mayor (MTU)";
    scheduler: "Scheduler", "Planificador";
    share_wanted: "Share", "Parte";
    distance_wanted: "Latency need: at most from entry to entry", "Latencia: como mucho de entrada a entrada";
    unit_entries: "entries", "entradas";
    table_entries: "Entries of the table, a power of two", "Entradas de la tabla, una potencia de dos";
    dtable_w: "w: most MTUs in an entry", "w: máximo de MTU por entrada";
    dtable_k: "k: MTUs to share out per entry", "k: MTU a repartir por entrada";
    dtable_about: "Say what each level needs; the table is made from it.", "Di qué necesita cada nivel; la tabla sale de ello.";
    share_delivered: "Share", "Parte";
    switches_and_nics: "Switches and NICs", "Conmutadores y NIC";
    buffering_cycles: "Buffering, in and out", "Almacenamiento, entrada y salida";
    arbitration_cycles: "Arbitration", "Arbitraje";
    scheduling_cycles: "A scheduler's turn, link idle", "Turno del planificador, enlace ocioso";
    crossbar_cycles: "Crossing a crossbar", "Cruce de un crossbar";
    ports_per_mport: "Ports of an MPort", "Puertos por MPort";
    central_links: "Links from an MPort to the centre", "Enlaces de un MPort al centro";
    input_buffer: "Input buffer", "Buffer de entrada";
    output_buffer: "Output buffer", "Buffer de salida";
    central_buffer: "Central buffers of an MPort", "Buffers centrales de un MPort";
    nic_buffer: "Buffer of a NIC, each way", "Buffer de una NIC, por sentido";
    look_inside: "Look inside", "Mirar dentro";
    inside_of: "Inside switch {}", "Dentro del conmutador {}";
    inputs: "Input buffers", "Buffers de entrada";
    central_buffers: "Central crossbar", "Crossbar central";
    outputs: "Outputs", "Salidas";
    mport: "MPort {}", "MPort {}";
    inside_counts: "{} cross, {} ask for a way.", "{} cruzan, {} piden paso.";
    input_number: "input {}", "entrada {}";
    central_number: "central buffer {}", "buffer central {}";
    ask: "Its arbiter is asked by {}.", "A su árbitro se lo pide {}.";
    nobody_asks: "Nobody waits for its arbiter.", "Nadie espera a su árbitro.";
    served_last: "It served {} last; the turn goes on from there.", "Sirvió por último a {}; el turno sigue desde ahí.";
    inside_legend_flits: "Lines are crossbar connections, dashed ones headers that ask; marks in a buffer are GO and STOP, a dot at an output STOP in effect.", "Las líneas son conexiones del crossbar, a trazos las cabeceras que piden; las marcas de un buffer son GO y STOP, un punto en una salida, STOP en vigor.";
    inside_legend_credits: "Colours are lanes; lines are crossbar connections, dashed ones packets that ask; a triangle is a packet being sent.", "Los colores son carriles; las líneas, conexiones del crossbar, a trazos los paquetes que piden; un triángulo, un paquete que se envía.";
    output_at_work: "Output at work", "Salida en acción";
    lane: "Lane", "Carril";
    packets_ready: "Ready", "Listos";
    credits_here: "Credits used here", "Créditos usados aquí";
    credits_there: "at the receiver", "en el receptor";
    sends: "sends", "envía";
    weight: "Weight", "Peso";
    remaining: "Left", "Queda";
    deficit: "Deficit", "Déficit";
    table_at: "Table: entry {} in service, {} credits accumulated", "Tabla: entrada {} en servicio, {} créditos acumulados";
    priority_order: "Highest first: {}", "Primero la más alta: {}";
    cut_through: "Virtual cut-through", "Virtual cut-through";
    cycle_ps: "Cycle", "Ciclo";
    link_delay_cycles: "Link delay", "Retardo del enlace";
    routing_cycles: "Routing time", "Tiempo de encaminamiento";
    buffer_flits: "Input buffer", "Buffer de entrada";
    stop_flits: "STOP at", "STOP a";
    go_flits: "GO at", "GO a";
    itb_detection_cycles: "ITB detection", "Detección de ITB";
    itb_dma_cycles: "DMA programming", "Programación de DMA";
    itb_memory_bytes: "ITB memory", "Memoria ITB";
    timeout_cycles: "Drop after blocked (0: never)", "Descartar tras bloqueo (0: nunca)";
    count_header: "Header bytes occupy the network", "Las cabeceras ocupan la red";
    unit_cycles: "cycles", "ciclos";
    unit_flits: "flits", "flits";
    unit_ps: "ps", "ps";
    myrinet_defaults: "As in Myrinet", "Como en Myrinet";

    description: "What to look at", "Qué mirar";

    // Problems
    problems_title: "This cannot run yet", "Esto aún no puede funcionar";
    file_problems: "{} was not opened; your document is as it was", "{} no se ha abierto; tu documento está como estaba";
    how_to_fix: "To fix it: {}", "Para arreglarlo: {}";
    file_too_large: "The file is larger than {} MB", "El archivo pasa de {} MB";

    // Legend
    legend: "Legend", "Leyenda";
    legend_worms: "a message and the channels it holds", "un mensaje y los canales que retiene";
    legend_moving: "its head, moving", "su cabeza, en marcha";
    legend_blocked: "its head, blocked", "su cabeza, bloqueada";
    legend_stop: "STOP in force", "STOP en vigor";
    legend_stop_line: "the buffer at its end has sent STOP", "el buffer de su extremo ha enviado STOP";
    legend_symbol: "STOP and GO, running back to the sender", "STOP y GO, de vuelta hacia el emisor";
    legend_strips: "each lane has a strip of its own", "cada carril tiene su propia franja";
    legend_buffers: "of each input buffer filled, of late", "de cada buffer de entrada lleno, últimamente";
    legend_marks: "input buffer, with its STOP and GO marks", "buffer de entrada, con sus marcas STOP y GO";
    legend_itbs: "messages a host takes out and sends on, per 1000 cycles", "mensajes que un host saca y reenvía, por 1000 ciclos";
    legend_no_itbs: "No host has taken a message out of the network lately.", "Ningún host ha sacado mensajes de la red últimamente.";
    legend_itb: "host with a message in transit", "host con un mensaje en tránsito";
    legend_queue: "messages waiting at a host", "mensajes que esperan en un host";
    legend_up_tree: "up, along the tree", "arriba, por el árbol";
    legend_up_other: "up, off the tree", "arriba, fuera del árbol";
    legend_no_turns: "Every turn is free.", "Todos los giros son libres.";
    legend_turn_itb: "turn that needs an ITB", "giro que necesita un ITB";
    legend_turn: "turn no route may make", "giro que ninguna ruta puede hacer";
    legend_route_used: "route in use", "ruta en uso";
    legend_route_other: "candidate", "candidata";
    legend_route_itb: "in-transit stop", "parada en tránsito";
    legend_route_number: "7: routes over a channel", "7: rutas por un canal";
    legend_unused: "no route uses it", "ninguna ruta lo usa";
    legend_node: "a channel", "un canal";
    legend_arc: "may wait for", "puede esperar a";
    legend_cycle: "cycle: a deadlock can arise", "ciclo: puede haber interbloqueo";
    legend_acyclic: "no cycle: no deadlock", "sin ciclos: sin interbloqueo";
    legend_wait: "waits for", "espera a";
    legend_wait_root: "holds others up and waits for nobody", "retiene a otros y no espera a nadie";
    legend_wait_cycle: "waits in a circle", "espera en círculo";
    legend_failed: "failed", "ha fallado";
    legend_before: "route before", "ruta antes";
    legend_after: "route after", "ruta después";
    legend_more: "more routes than before", "más rutas que antes";
    legend_less: "fewer routes than before", "menos rutas que antes";
    peek_weight: "{} routes", "{} rutas";
    peek_dependencies: "{} after it, {} before it", "{} detrás, {} delante";
    peek_buffer: "{} of {} flits in the buffer", "{} de {} flits en el buffer";
    peek_itbs: "{} ITBs per 1000 cycles, {} in all", "{} ITB por 1000 ciclos, {} en total";
    peek_turns: "{} turns need an ITB, {} are forbidden", "{} giros necesitan un ITB, {} están prohibidos";
    peek_shift: "{} routes", "{} rutas";
    fast_heat: "At this speed worms give way to utilisation.", "A esta velocidad los gusanos dejan paso a la utilización.";

    busy: "busy", "ocupado";
    blocked: "blocked", "bloqueado";
    pasted: "pasted text", "texto pegado";

    // Dialogs
    gallery_hint: "Each opens as a copy of your own.", "Cada uno se abre como copia tuya.";
    palette_hint: "Type a command", "Escribe una orden";
    no_command: "No command is called that", "Ninguna orden se llama así";
    mouse_title: "Mouse and touch", "Ratón y pantalla táctil";
    mouse_pan: "Drag the ground: move the view. Wheel or pinch: zoom.", "Arrastrar el fondo: mover la vista. Rueda o pellizco: ampliar.";
    mouse_box: "Shift and drag: select with a box. Shift and click: add to the selection.", "Mayúsculas y arrastrar: seleccionar con un recuadro. Mayúsculas y clic: añadir a la selección.";
    keyboard_title: "Keyboard on the stage", "Teclado en el escenario";
    keyboard_walk: "Arrow keys: to the next switch or host; with Shift, switches only.", "Flechas: al siguiente conmutador o host; con Mayúsculas, solo conmutadores.";
    keyboard_move: "Control and arrow keys: move what is selected. Enter: look inside.", "Control y flechas: mover lo seleccionado. Intro: mirar dentro.";
    mouse_inspect: "Click a worm: why it is where it is.", "Clic en un gusano: por qué está donde está.";
}
